import type { IncomingMessage } from 'node:http';

/** Bodies that a library has read from the connection itself, for those who look at the request afterwards. */
export const readBodies = new WeakMap<IncomingMessage, unknown>();
