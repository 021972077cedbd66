// The gait diagram: which feet stand when.

// Okabe and Ito's colours, distinct to colour-blind eyes; the last one suits light and dark.
const LEG_COLOURS = [
  "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442", "#808080",
];

// Times at which a leg begins and ends to stand.
function stances(column) {
  const width = header.tables.swings.columns, found = [];
  let begin = null;
  times.forEach((time, frame) => {
    const isStanding = !swings[frame * width + column];
    if (isStanding && begin === null) begin = time;
    if (!isStanding && begin !== null) { found.push([begin, time]); begin = null; }
  });
  if (begin !== null) found.push([begin, length]);
  return found;
}

class Diagram {
  constructor(canvas) {
    this.canvas = canvas;
    this.paint = canvas.getContext("2d");
  }

  follow(legs) {
    this.legs = legs.map(({ name, swing }) => ({ name, spans: stances(swing) }));
    this.canvas.parentElement.hidden = !legs.length;
    const em = parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.letters = 0.75 * em;
    this.row = clamp((9 * em) / Math.max(1, legs.length), 3, 1.1 * em);
    this.left = this.row >= 0.8 * this.letters ? 2.6 * this.letters : 0;
    this.canvas.style.height = `${this.row * legs.length + 1.6 * this.letters}px`;
  }

  // The seconds that are shown: all, or a part around the present.
  get window() {
    const shown = Math.min(length, Math.max(3, (this.width - this.left) / (6 * this.letters)));
    const start = clamp(player.time - 0.5 * shown, 0, length - shown);
    return [start, Math.max(shown, 1e-6)];
  }

  timeAt(x) {
    const [start, shown] = this.window;
    return start + (shown * (x - this.left)) / Math.max(1, this.width - this.left);
  }

  // The slider is of all seconds: behind it is a band where those of the diagram are.
  markOnSlider([start, shown]) {
    const isPart = this.legs.length && shown < length, { style } = byId("timeline");
    style.setProperty("--from", isPart ? start / length : 0);
    style.setProperty("--to", isPart ? (start + shown) / length : 0);
  }

  draw() {
    this.width = this.canvas.clientWidth;
    this.markOnSlider(this.window);
    if (!this.legs.length) return;
    const scale = devicePixelRatio, { paint, canvas, row } = this;
    canvas.width = Math.round(this.width * scale);
    canvas.height = Math.round(canvas.clientHeight * scale);
    paint.setTransform(scale, 0, 0, scale, 0, 0);
    paint.clearRect(0, 0, this.width, canvas.clientHeight);
    const style = getComputedStyle(document.documentElement);
    const [start, shown] = this.window, below = row * this.legs.length;
    const xOf = (time) => this.left + ((time - start) / shown) * (this.width - this.left);
    paint.font = `${this.letters}px system-ui, sans-serif`;
    paint.textBaseline = "middle";
    this.legs.forEach(({ name, spans }, leg) => {
      paint.fillStyle = LEG_COLOURS[leg % LEG_COLOURS.length];
      for (const [begin, end] of spans) {
        if (end < start || begin > start + shown) continue;
        const first = Math.max(this.left, xOf(begin));
        paint.fillRect(first, leg * row + 0.12 * row, xOf(end) - first, 0.76 * row);
      }
      paint.fillStyle = style.getPropertyValue("--ink");
      if (this.left) paint.fillText(name, 0, (leg + 0.5) * row);
    });
    paint.fillStyle = style.getPropertyValue("--dim");
    paint.textAlign = "center";
    for (let second = Math.ceil(start); second <= start + shown; second++) {
      const x = clamp(xOf(second), this.letters, this.width - 1.2 * this.letters);
      paint.fillRect(xOf(second), below, 1, 0.3 * this.letters);
      paint.fillText(`${second} s`, x, below + this.letters);
    }
    paint.textAlign = "start";
    paint.fillStyle = style.getPropertyValue("--ink");
    paint.fillRect(xOf(player.time) - 1, 0, 2, below + 0.3 * this.letters);
  }
}
