import { getProfile, logout, refresh } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { implement } from '../../http/implement.ts';
import { endSessions, findSessionOf, refreshSession } from '../../http/sessions.ts';
import { profileOf } from '../../models/profile.ts';

/** Session and profile, apart from how a session begins. */
export function session(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, refresh, ({ body }) => refreshSession(deps, body.refreshToken));

  implement(app, deps, logout, ({ caller, body }) => {
    endSessions(deps, caller.orgCode, { sid: caller.sid });
    const named = body.refreshToken ? findSessionOf(deps, body.refreshToken) : undefined;
    if (named?.suid === caller.suid) endSessions(deps, caller.orgCode, { sid: named.sid });
    return {};
  });

  implement(app, deps, getProfile, ({ caller }) => ({ profile: profileOf(caller) }));

  app.get('/.well-known/jwks.json', (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').send(deps.tokens.jwks),
  );
}
