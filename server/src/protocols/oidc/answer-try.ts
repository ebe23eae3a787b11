import { appTryRepo } from '@orchestrate/db';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { resultPath, returnAppTry } from '../../core/sign-in/app-logins/begin-app-try.ts';
import { browserOf } from '../../core/sign-in/browser-id.ts';
import type { Deps } from '../../deps.ts';
import { sendPage, sendRedirect } from '../../platform/http/answers/send-json.ts';
import { finishTry } from './finish-try.ts';
import { errorPage, PAGE_POLICY } from './pages.ts';

/** Finishes a try in which the portal itself is the client (decision 133). */
export async function answerTry(
  app: FastifyInstance,
  deps: Deps,
  { params: { orgCode }, raw, headers }: FastifyRequest<{ Params: { orgCode: string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const answer = new URL(raw.url ?? '', deps.publicUrl).searchParams;
  const id = answer.get('state') ?? '';
  const row = returnAppTry(deps, orgCode, { id, browser: browserOf(deps, headers.cookie) });
  if (row?.protocol !== 'oidc') {
    const reason = { error: 'expired', error_description: 'this test has ended or was started in another browser' };
    return sendPage(deps, reply.code(400), { text: errorPage(reason), policy: PAGE_POLICY });
  }
  appTryRepo.setAppTryResult(deps.db, orgCode, row.id, await finishTry(app, deps, row, answer));
  return sendRedirect(deps, reply, resultPath(row));
}
