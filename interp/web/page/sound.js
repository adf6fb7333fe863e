// A short click for each move, made here and not from a file. It is off until somebody wants it.
const SECONDS = 0.06, HERTZ = 1400;

export class Sound {
    // `box`: the checkbox that switches it.
    constructor(box) {
        this.on = localStorage.getItem("ferz-sound") === "on";
        box.checked = this.on;
        box.addEventListener("change", () => {
            this.on = box.checked;
            localStorage.setItem("ferz-sound", this.on ? "on" : "off");
            this.click();
        });
    }

    click() {
        if (!this.on) return;
        this.context ??= new AudioContext();
        const { context } = this, now = context.currentTime;
        const tone = context.createOscillator(), volume = context.createGain();
        tone.type = "triangle";
        tone.frequency.setValueAtTime(HERTZ, now);
        tone.frequency.exponentialRampToValueAtTime(HERTZ / 4, now + SECONDS);
        volume.gain.setValueAtTime(0.2, now);
        volume.gain.exponentialRampToValueAtTime(0.001, now + SECONDS);
        tone.connect(volume).connect(context.destination);
        tone.start(now);
        tone.stop(now + SECONDS);
    }
}
