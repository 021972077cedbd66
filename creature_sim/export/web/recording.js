// Plays a recording: unpacks it, and fills `now` with the pose at any moment.
// Lengths are metres, Z is up, quaternions are xyzw.

const byId = (id) => document.getElementById(id);
const header = JSON.parse(byId("header").textContent);
const { parts, subjects, ground } = header;

function tell(message) {
  byId("notice").textContent = message;
  byId("notice").hidden = false;
}
addEventListener("error", (event) => tell(`This page cannot be shown here: ${event.message}`));

const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

async function inflated(text) {
  const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The numbers of a table, row by row; see packing.py for how they are laid out.
function unpacked(bytes, { start, rows, columns, step }, Kind) {
  const count = rows * columns;
  const found = new Kind(count);
  for (let column = 0; column < columns; column++) {
    let steps = 0;
    for (let row = 0; row < rows; row++) {
      const index = start + column * rows + row;
      const folded = bytes[index] | (bytes[index + count] << 8) |
        (bytes[index + 2 * count] << 16) | (bytes[index + 3 * count] << 24);
      steps += (folded >>> 1) ^ -(folded & 1);
      found[row * columns + column] = steps * step;
    }
  }
  return found;
}

const data = await inflated(byId("data").textContent);
const table = (name, Kind = Float32Array) => unpacked(data, header.tables[name], Kind);
const ticks = table("ticks", Float64Array);
const jumps = table("jumps", Uint8Array);
const swings = table("swings", Uint8Array);
const tracks = { points: table("points"), turns: table("turns"), normals: table("normals") };
const times = ticks.map((tick) => (tick - ticks[0]) / header.rate);
const length = times[times.length - 1];

const pictures = await Promise.all(header.models.map(({ pictures }) => Promise.all(
  pictures.map((text) => createImageBitmap(new Blob([bytesOf(text)], { type: "image/png" }))),
)));

const now = {};
for (const name in tracks) now[name] = new Float32Array(header.tables[name].columns);

// A creature that has not come yet, or has gone, is recorded far below the ground.
const isGone = (z) => z < ground.heights[0] - 20;

function frameAt(seconds) {
  let low = 0, high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= seconds) low = middle; else high = middle - 1;
  }
  return low;
}

// Fill `now` with the pose at a moment, between the two recorded around it.
function pose(seconds) {
  const a = frameAt(seconds), b = Math.min(a + 1, times.length - 1);
  const fraction = b > a && !jumps[b] ? (seconds - times[a]) / (times[b] - times[a]) : 0;
  for (const name in tracks) {
    const from = tracks[name], to = now[name], width = to.length;
    for (let i = 0; i < width; i++) {
      const start = from[a * width + i];
      to[i] = start + (from[b * width + i] - start) * fraction;
    }
  }
  for (const [point, normal, , height] of parts.pads) { // a leg ends at the underside of its foot
    for (let axis = 0; axis < 3; axis++) {
      now.points[3 * point + axis] += height * now.normals[3 * normal + axis];
    }
  }
}
