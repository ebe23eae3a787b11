import { contract } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { implement } from '../../platform/http/implement.ts';
import { listMails, previewMail, saveMail, standardMail, tryMail } from './mail-texts.ts';

/** The words of an organisation's mails. */
export function mails(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.listMailTexts, ({ caller }) => ({ mails: listMails(deps, caller.orgCode) }));

  implement(app, deps, contract.saveMailText, ({ actor, params: { name }, body, version }) => ({
    mail: saveMail(deps, actor, name, body, version),
  }));

  implement(app, deps, contract.deleteMailText, ({ actor, params: { name } }) => ({
    mail: standardMail(deps, actor, name),
  }));

  implement(app, deps, contract.previewMailText, ({ caller, params: { name }, body }) =>
    previewMail(deps, caller.orgCode, name, body),
  );

  implement(app, deps, contract.tryMailText, ({ caller, actor, params: { name }, body }) => ({
    to: tryMail(deps, { caller, actor }, name, body),
  }));
}
