/** Where the console is served, such as /console/ or, behind a proxy, /memory/console/. */
export const BASE = window.location.pathname.replace(/[^/]*$/, '');

/** The address of the server: one path above the console. */
export const SERVER_URL = new URL('..', new URL(BASE, window.location.origin)).href;
