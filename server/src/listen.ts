import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import { PortUnusable, portProblem } from './platform/port-unusable.ts';

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
    throw reason instanceof PortUnusable ? reason : portProblem(reason, { host, port, setting: 'PORT' });
  }
  const address = app.server.address();
  const listening = typeof address === 'object' && address ? address.port : port;
  return publicUrl ?? `${tls ? 'https' : 'http'}://localhost:${listening}`;
}
