"""Many jobs at once: in processes of this machine, or on a cluster.

    with open_workers(jobs=4) as workers:  # or open_workers(cluster="tcp://10.0.0.5:8786")
        for index, found in results(workers, call, jobs):
            ...

A job is whatever pickles, and so is what the call returns. Workers share no memory and no files
with each other or with this process. A job whose worker dies is tried again; one that kills every
worker it gets has `Died` as its result, and the others go on.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from creature_sim.workers.loop import Died, Workers, results

__all__ = ["Died", "Workers", "open_workers", "results"]


@contextmanager
def open_workers(jobs: int = 1, cluster: str | None = None) -> Iterator[Workers]:
    """Workers for the length of a block; those that were started for it end with it.

    Args:
        jobs: number of processes here, if there is no cluster.
        cluster: "tcp://HOST:PORT" of a scheduler of Dask, or "local:N": a cluster of N processes
            here.

    Raises:
        ClusterError: there is no such cluster, or it cannot do this work.
    """
    found: Workers
    if cluster is None:
        from creature_sim.workers.processes import Processes

        found = Processes(jobs)
    else:
        from creature_sim.workers.cluster import open_cluster

        found = open_cluster(cluster)
    try:
        yield found
    except BaseException:
        found.kill()
        raise
    else:
        found.close()
