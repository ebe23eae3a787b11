import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { requireLab } from '../../platform/http/callers/require-lab.ts';
import { Refusal } from '../../platform/refusal.ts';
import { interceptRequests } from '../intercept-requests.ts';

/** The address that a request pretends to come from. */
const ADDRESS = 'x-lab-ip';
/** LAB_TOKEN, where `Authorization` is needed for something else. */
const TOKEN = 'x-lab-token';

/**
 * Lets a test come from another address, by the header `x-lab-ip`: API, protocols and sockets take it for the caller's,
 * in address lists, limits and history alike. Who may use the lab is still decided by the connection. Anybody else who
 * sends it is refused, so that no test passes because its header did nothing.
 */
export function otherAddresses(app: FastifyInstance, { config }: Deps): void {
  const isGiven = ({ headers }: FastifyRequest) => headers[ADDRESS] !== undefined;
  interceptRequests(app, 'onRequest', isGiven, async (request) => {
    comeFrom(request, String(request.headers[ADDRESS]));
    return undefined;
  });

  /** @throws Refusal FORBIDDEN, INVALID_REQUEST */
  function comeFrom(request: FastifyRequest, given: string): void {
    const token = request.headers[TOKEN];
    requireLab(config, request, token === undefined ? undefined : String(token));
    if (isIP(given) === 0) {
      const issues = [{ path: ADDRESS, message: 'Must be one IPv4 or IPv6 address, e.g. 203.0.113.7' }];
      throw new Refusal('INVALID_REQUEST', { message: `${ADDRESS} is not one IPv4 or IPv6 address.`, issues });
    }
    Object.defineProperty(request, 'ip', { value: given });
  }
}
