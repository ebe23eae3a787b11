import { contract } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { implement } from '#platform/http/implement.ts';
import { readMailLanguage, saveMailLanguage } from './mail-language.ts';
import { listMails, previewMail, resetMail, saveMail, sendTestMail } from './mail-texts.ts';

/** Serves the texts and the language of an organisation's emails. */
export function mails(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.listMailTexts, ({ caller: { orgCode }, query: { language } }) => ({
    mails: listMails(deps, orgCode, language),
    mailLanguage: readMailLanguage(deps, orgCode),
  }));

  implement(app, deps, contract.saveMailLanguage, ({ actor, body: { language }, version }) => ({
    mailLanguage: saveMailLanguage(deps, actor, language, version),
  }));

  implement(app, deps, contract.saveMailText, ({ actor, params, query, body, version }) => ({
    mail: saveMail(deps, actor, { ...params, ...query }, body, version),
  }));

  implement(app, deps, contract.deleteMailText, ({ actor, params, query }) => ({
    mail: resetMail(deps, actor, { ...params, ...query }),
  }));

  implement(app, deps, contract.previewMailText, ({ caller, params, query, body }) =>
    previewMail(deps, caller.orgCode, { ...params, ...query }, body),
  );

  implement(app, deps, contract.tryMailText, ({ caller, actor, params, query, body }) => ({
    to: sendTestMail(deps, { caller, actor }, { ...params, ...query }, body),
  }));
}
