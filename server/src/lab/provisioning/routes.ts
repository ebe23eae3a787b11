import { contract } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { requireOutsideAddress } from '../../platform/adapters/fetch-outside.ts';
import { implement } from '../../platform/http/implement.ts';
import { basic, bearer } from '../../protocols/scim/client/ask-service.ts';
import { recordInLab } from '../record-in-lab.ts';
import { replay } from './replay.ts';
import { SCRIPTS } from './scripts.ts';

/** Plays a directory towards a SCIM service under test. */
export function provisioning(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.replayProvisioning, async ({ body, actor }) => {
    const { dialect, email, token, username, password = '' } = body;
    const { href } = requireOutsideAddress(deps.outsidePolicy, body.url, 'url');
    const service = { url: href.replace(/\/+$/, ''), authorization: authorizationOf(token, username, password) };
    const steps = await replay(deps.outsidePolicy, service, SCRIPTS[dialect](email));
    const ok = steps.every((step) => step.ok);
    recordInLab(deps, actor, 'lab.provisioning-replayed', { dialect, url: href, ok });
    return { ok, steps };
  });
}

function authorizationOf(token: string | undefined, username: string | undefined, password: string) {
  if (token !== undefined) return bearer(token);
  if (username === undefined) return undefined;
  return basic(username, password);
}
