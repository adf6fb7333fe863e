// A service worker: the page works without its server. It asks the server first, so that nothing
// old is shown, and keeps the answers. Files of the folder are never kept: they need a key.
const CACHE = "ferz-page";
const PARTS = ["./", "main.js", "editor.js", "worker.js", "first.js", "style.css", "icon.svg", "ferz.wasm",
    "files.json", "gallery.json", "manual.html", "manual.js", "manual.css"];

self.addEventListener("install", (event) => {
    self.skipWaiting();
    event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(PARTS)));
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

// Without what stands behind `?`: the key of the folder.
const keyOf = (url) => url.origin + url.pathname;

async function answer(request, key) {
    try {
        const response = await fetch(request);
        if (response.ok) {
            const copy = response.clone();
            caches.open(CACHE).then((cache) => cache.put(key, copy)).catch(() => {});
        }
        return response;
    } catch (error) {
        const kept = await caches.match(key);
        if (kept) return kept;
        throw error;
    }
}

self.addEventListener("fetch", (event) => {
    const { request } = event, url = new URL(request.url);
    const inside = url.pathname.slice(new URL(self.registration.scope).pathname.length);
    if (request.method === "GET" && url.origin === location.origin && !inside.startsWith("files/")
        && inside !== "files.list")
        event.respondWith(answer(request, keyOf(url)));
});
