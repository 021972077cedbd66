// Browsers start no Worker for pages that are opened from disk. There this class takes its place: it runs the
// worker's script in a hidden frame, which is slower and all that the search of these pages needs.
if (location.protocol === "file:") {
  window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super()
      this.url = new URL(url, location.href).href
      this.waiting = []
      if (document.body) this.open()
      else addEventListener("DOMContentLoaded", () => this.open())
    }

    open() {
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      document.body.append(this.frame)
      const inside = this.frame.contentWindow
      inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }))
      inside.importScripts = (...urls) =>
        urls.reduce((before, url) => before.then(() => this.load(url)), Promise.resolve())
      this.load(this.url).then(() => {
        for (const data of this.waiting.splice(0)) this.deliver(data)
        this.waiting = null
      })
    }

    load(url) {
      const inside = this.frame.contentDocument
      return new Promise((resolve, reject) => {
        const script = inside.createElement("script")
        script.src = url
        script.onload = resolve
        script.onerror = reject
        inside.body.append(script)
      })
    }

    deliver(data) {
      this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }))
    }

    postMessage(data) {
      if (this.waiting) this.waiting.push(data)
      else this.deliver(data)
    }

    terminate() {
      this.frame?.remove()
    }
  }
  window.Worker = window.IFrameWorker
}
