// The present, the camera, and how they change with time.

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8];
const PLAY = "M2 0v12l10-6z", PAUSE = "M1 0h4v12H1zM7 0h4v12H7z"; // drawn: fonts lack the glyphs
const START = { yaw: 2.2, pitch: 0.42 };
const TURNS = [0, 0.7, -0.7, 1.4, -1.4, 2.1, -2.1, 2.8, -2.8];

const player = { time: 0, speed: 1, isPlaying: false, subject: 0 };
const camera = { ...START, zoom: 1, target: null, turn: 0, wanted: 0 };
let painter = null, isDirty = true, hasDrawn = false, before = 0;

const diagram = new Diagram(byId("diagram"));
const touch = () => { isDirty = true; };

function play(isPlaying) {
  if (isPlaying && player.time >= length) player.time = 0;
  player.isPlaying = isPlaying;
  byId("glyph").setAttribute("d", isPlaying ? PAUSE : PLAY);
  byId("play").setAttribute("aria-label", isPlaying ? "Pause" : "Play");
  touch();
}

function go(seconds) {
  player.time = clamp(seconds, 0, length);
  touch();
}

function setSpeed(speed) {
  player.speed = speed;
  byId("speed").value = String(speed);
}

function follow(subject) {
  player.subject = (subject + subjects.length) % subjects.length;
  byId("subject").value = String(player.subject);
  diagram.follow(subjects[player.subject].legs);
  camera.target = null;
  touch();
}

function resetView() {
  Object.assign(camera, START, { zoom: 1 });
  touch();
}

function orbit(across, up) {
  camera.yaw -= across;
  camera.pitch = clamp(camera.pitch + up, -0.2, 1.5);
  touch();
}

function zoom(steps) {
  camera.zoom = clamp(camera.zoom * 0.88 ** steps, 0.15, 12);
  touch();
}

// Where the camera looks: at a place of its own, or at the middle of a trunk.
function middleOf({ middle, points }) {
  if (middle) return middle;
  const [first, count] = points, found = [0, 0, 0];
  for (let i = 3 * first; i < 3 * (first + count); i++) found[i % 3] += now.points[i] / count;
  return found;
}

// Move the target of the camera towards the subject, as `seconds` pass.
function aim(seconds) {
  const { scale } = subjects[player.subject], middle = middleOf(subjects[player.subject]);
  const wanted = camera.target && isGone(middle[2]) ? camera.target : middle;
  const fraction = camera.target ? 1 - Math.exp(-seconds / 0.18) : 1;
  const isFar = camera.target && Math.hypot(...sub(wanted, camera.target)) > 2 * scale;
  camera.target = camera.target && !isFar
    ? camera.target.map((x, axis) => x + (wanted[axis] - x) * fraction) : wanted;
  return Math.hypot(...sub(wanted, camera.target)) > 1e-3 * scale;
}

function eyeAt(target, distance, yaw, pitch) {
  const flat = Math.cos(pitch);
  return [
    target[0] + distance * flat * Math.cos(yaw),
    target[1] + distance * flat * Math.sin(yaw),
    target[2] + distance * Math.sin(pitch),
  ];
}

// Among walls and below roofs the eye is lower or higher and nearer, until nothing is between.
function viewIndoors({ target, yaw, pitch }, turn, distance, gap) {
  let best = null, most = -1;
  for (const dip of [0, ...[0, 0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4].map((other) => pitch - other)]) {
    const eye = eyeAt(target, distance, yaw + turn, pitch - dip), cost = 0.35 * Math.abs(dip);
    const met = Math.min(1, painter.meetings(target, eye)[0]);
    const free = met < 1 ? Math.max(met - gap / distance, Math.min(0.1, 0.5 * met)) : 1;
    if (free - cost > most) {
      best = target.map((x, axis) => x + free * (eye[axis] - x));
      most = free - cost;
    }
    if (free === 1 && dip === 0) break;
  }
  return { eye: best, open: most };
}

// Beside a wall the eye goes round to where there is room, and comes back once there is again.
function turnIndoors(seconds, isJump) {
  const { distance, scale } = subjects[player.subject];
  const open = (turn) =>
    viewIndoors(camera, turn, distance * camera.zoom, 0.12 * scale).open - 0.1 * Math.abs(turn);
  if (open(camera.wanted) < 0.3) {
    camera.wanted = TURNS.map((turn) => [open(turn), turn]).reduce((a, b) => (b[0] > a[0] ? b : a))[1];
  } else if (camera.wanted && open(0) > 0.6) {
    camera.wanted = 0;
  }
  const left = camera.wanted - camera.turn;
  camera.turn = isJump ? camera.wanted : camera.turn + left * (1 - Math.exp(-seconds / 0.3));
  return Math.abs(camera.wanted - camera.turn) > 1e-3;
}

function drawView() {
  const subject = subjects[player.subject], distance = subject.distance * camera.zoom;
  const { target, yaw, pitch } = camera, gap = 0.12 * subject.scale;
  let eye;
  if (painter.hangs) {
    eye = viewIndoors(camera, camera.turn, distance, gap).eye;
  } else {
    eye = eyeAt(target, distance, yaw, pitch);
    const { roof, surface } = painter, top = (subject.scale < 1 ? surface : roof)(eye[0], eye[1]);
    eye[2] = Math.max(eye[2], top + gap);
  }
  painter.draw(eye, target, distance, subject);
}

// Shadows, or in their place soft spots below bodies and feet: what a CPU draws in time.
function shade(hasShadows) {
  painter.hasShadows = hasShadows;
  document.documentElement.dataset.shadows = hasShadows ? "on" : "off";
  touch();
}

// Measure the first pictures: where they come slowly, go on without shadows.
const FIRST = 3, MEASURED = 12, SLOW = 30; // pictures, pictures, milliseconds
const gaps = [];
function measure(gap) {
  if (gaps.length >= FIRST + MEASURED) return;
  gaps.push(Math.min(gap, 4 * SLOW)); // one long pause proves nothing
  const time = gaps.slice(FIRST).reduce((sum, x) => sum + x, 0); // the first ones compile programs
  if (time < MEASURED * SLOW || !painter?.hasShadows) return;
  gaps.length = FIRST + MEASURED;
  shade(false);
}

function fitted(canvas) {
  const width = Math.max(1, Math.round(canvas.clientWidth * devicePixelRatio));
  const height = Math.max(1, Math.round(canvas.clientHeight * devicePixelRatio));
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
}

function frame(stamp) {
  requestAnimationFrame(frame);
  const seconds = Math.min(0.25, (stamp - before) / 1000);
  if (hasDrawn) measure(stamp - before);
  hasDrawn = isDirty || player.isPlaying;
  before = stamp;
  if (player.isPlaying) {
    go(player.time + seconds * player.speed);
    if (player.time >= length) play(false);
  }
  if (!isDirty) return;
  pose(player.time);
  const isJump = !camera.target;
  isDirty = aim(seconds);
  if (painter?.hangs && turnIndoors(seconds, isJump)) isDirty = true;
  byId("time").value = String(player.time);
  const spoken = `${player.time.toFixed(1)} of ${length.toFixed(1)} s`;
  byId("clock").textContent = spoken;
  byId("time").setAttribute("aria-valuetext", spoken);
  diagram.draw();
  if (painter && !painter.gl.isContextLost()) {
    fitted(painter.canvas);
    drawView();
  }
  document.documentElement.dataset.state = "drawn";
}
