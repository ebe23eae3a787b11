import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';

/**
 * While the clock is set, the `Date` header follows it: devices learn the portal's time from there, and sign with it.
 * Otherwise Node writes the header.
 */
export function tellTime(app: FastifyInstance, { clock }: Deps): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (clock.mode() !== 'real') reply.header('date', new Date(clock.now()).toUTCString());
    done();
  });
}
