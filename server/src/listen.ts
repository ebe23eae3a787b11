import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';

/** The server cannot listen on the address. The message is one line for the person who starts the server. */
export class PortUnusable extends Error {}

const sentences: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (_host, port) => `Port ${port} is already in use. Choose another PORT, or stop what uses this one.`,
  EACCES: (_host, port) => `Port ${port} may not be used by this account. Choose a PORT above 1023.`,
  EADDRNOTAVAIL: (host) => `This machine has no address ${host}. Choose another HOST.`,
  ENOTFOUND: (host) => `The address of ${host} is not known. Choose another HOST.`,
};

/**
 * Starts listening.
 * @returns The origin under which people reach the portal.
 * @throws PortUnusable
 */
export async function listen(app: FastifyInstance, { host, port, publicUrl, tls }: Config): Promise<string> {
  try {
    await app.listen({
      host,
      port,
      listenTextResolver: (address) => `Server listening at ${tls ? address.replace('http:', 'https:') : address}`,
    });
  } catch (reason) {
    const code = reason instanceof Error && 'code' in reason ? String(reason.code) : '';
    throw sentences[code] ? new PortUnusable(sentences[code](host, port), { cause: reason }) : reason;
  }
  const address = app.server.address();
  const listening = typeof address === 'object' && address ? address.port : port;
  return publicUrl ?? `${tls ? 'https' : 'http'}://localhost:${listening}`;
}
