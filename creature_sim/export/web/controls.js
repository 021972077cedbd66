// Keys, mouse, touch and buttons; the page starts at the end.

const KEYS = {
  " ": () => play(!player.isPlaying),
  ArrowLeft: (event) => go(player.time - (event.shiftKey ? 5 : 1)),
  ArrowRight: (event) => go(player.time + (event.shiftKey ? 5 : 1)),
  Home: () => go(0),
  End: () => go(length),
  "+": () => setSpeed(SPEEDS[Math.min(SPEEDS.indexOf(player.speed) + 1, SPEEDS.length - 1)]),
  "-": () => setSpeed(SPEEDS[Math.max(SPEEDS.indexOf(player.speed) - 1, 0)]),
  a: () => orbit(-0.1, 0), d: () => orbit(0.1, 0), w: () => orbit(0, 0.08), s: () => orbit(0, -0.08),
  q: () => zoom(-1), e: () => zoom(1),
  n: () => follow(player.subject + 1),
  r: resetView,
  h: () => { gaps.length = FIRST + MEASURED; shade(!painter.hasShadows); },
};

function listen(canvas) {
  byId("play").addEventListener("click", () => play(!player.isPlaying));
  byId("reset").addEventListener("click", resetView);
  byId("time").addEventListener("input", (event) => go(Number(event.target.value)));
  byId("speed").addEventListener("change", (event) => setSpeed(Number(event.target.value)));
  byId("subject").addEventListener("change", (event) => follow(Number(event.target.value)));
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
    if (event.key === " " && event.target.closest("button, summary")) return; // the space bar presses it
    const act = KEYS[event.key] || KEYS[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act(event);
  });
  const pointers = new Map();
  const apart = () => {
    const [a, b] = pointers.values();
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
  });
  canvas.addEventListener("pointermove", (event) => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const gap = pointers.size === 2 ? apart() : 0;
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    if (pointers.size === 1) {
      orbit(0.008 * (event.clientX - last[0]), 0.008 * (event.clientY - last[1]));
    } else if (pointers.size === 2) {
      zoom(0.02 * (apart() - gap));
    }
  });
  for (const kind of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(kind, (event) => pointers.delete(event.pointerId));
  }
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(-Math.sign(event.deltaY));
  }, { passive: false });
  const scrub = (event) => {
    if (event.buttons & 1) go(diagram.timeAt(event.offsetX));
  };
  diagram.canvas.addEventListener("pointerdown", (event) => {
    diagram.canvas.setPointerCapture(event.pointerId);
    scrub(event);
  });
  diagram.canvas.addEventListener("pointermove", scrub);
  canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
  canvas.addEventListener("webglcontextrestored", setUp);
  new ResizeObserver(() => { diagram.follow(subjects[player.subject].legs); touch(); })
    .observe(document.body);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", touch);
}

function setUp() {
  try {
    painter = new Painter(byId("view"));
  } catch (error) {
    tell(error.message);
  }
  touch();
}

const option = (value, text) => new Option(text, String(value));
byId("speed").append(...SPEEDS.map((speed) => option(speed, `${speed}x`)));
byId("subject").append(...subjects.map(({ name }, i) => option(i, `${i + 1} ${name}`)));
byId("subjects").hidden = subjects.length < 2;
byId("time").max = String(length);
setSpeed(1);
follow(0);
setUp();
listen(byId("view"));
play(!matchMedia("(prefers-reduced-motion: reduce)").matches);
requestAnimationFrame((stamp) => { before = stamp; frame(stamp); });
