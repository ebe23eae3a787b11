import { mailTextRepo, memberRepo, organisationRepo, type Tx } from '@orchestrate/db';
import { MAILS, type MailName, type MailText, type MailWords } from '@orchestrate/shared';
import { record } from '../../core/audit/record.ts';
import type { Deps } from '../../deps.ts';
import type { AuditActor } from '../../platform/http/callers/actors.ts';
import { type Version, versionOf } from '../../platform/http/versions.ts';
import { TOPIC } from '../../platform/live/bus.ts';
import { mailTextIssues } from '../../platform/mails/mail-text.ts';
import { type RenderedMessage, renderMessage } from '../../platform/mails/render-message.ts';
import { COMMON_VARIABLES, MAIL_KINDS, secretOf } from '../../platform/mails/templates.ts';
import { writeMessage } from '../../platform/mails/write-message.ts';
import { Refusal } from '../../platform/refusal.ts';

const IMMEDIATE = { behavior: 'immediate' } as const;

const variablesOf = (name: MailName) => ({ ...COMMON_VARIABLES, ...MAIL_KINDS[name].variables });
const objectOf = (name: MailName) => ({ type: 'mail-text', id: name, name }) as const;

/** The words of a mail: the organisation's own, or the portal's. */
export function wordsOf(tx: Tx, orgCode: string, name: MailName): MailWords & { isOwn: boolean } {
  const own = mailTextRepo.findMailText(tx, orgCode, name);
  const { subject, body } = own ?? MAIL_KINDS[name].text;
  return { subject, body, isOwn: own !== undefined };
}

function mailOf(tx: Tx, orgCode: string, name: MailName): MailText {
  const { about, text } = MAIL_KINDS[name];
  const words = wordsOf(tx, orgCode, name);
  const needed: string | undefined = secretOf(name);
  const variables = Object.entries(variablesOf(name)).map(([variable, meaning]) => ({
    name: variable,
    meaning,
    isNeeded: variable === needed,
  }));
  return { name, about, ...words, standard: text, variables, version: versionOf(words) };
}

/** Every mail of an organisation, with its words. */
export const listMails = ({ db }: Deps, orgCode: string): MailText[] => MAILS.map((name) => mailOf(db, orgCode, name));

/** Line ends as people's programs write them are one kind here. */
export const clean = ({ subject, body }: MailWords): MailWords => ({ subject, body: body.replaceAll(/\r\n?/g, '\n') });

/** @throws Refusal INVALID_REQUEST an unknown variable, or the code or link is missing */
function requireWords(name: MailName, words: MailWords): void {
  const issues = mailTextIssues(words, { variables: Object.keys(variablesOf(name)), secret: secretOf(name) });
  if (issues.length > 0) throw new Refusal('INVALID_REQUEST', { issues });
}

/** @throws StaleVersion; Refusal INVALID_REQUEST as `mailTextIssues` says */
export function saveMail(
  deps: Deps,
  actor: AuditActor,
  name: MailName,
  written: MailWords,
  version: Version,
): MailText {
  const { orgCode } = actor;
  const words = clean(written);
  requireWords(name, words);
  return deps.db.transaction((tx) => {
    const before = wordsOf(tx, orgCode, name);
    version.require(tx, { orgCode, id: name, editable: before, present: () => mailOf(deps.db, orgCode, name) });
    mailTextRepo.saveMailText(tx, { orgCode, template: name, ...words });
    recordWords(deps, tx, actor, name, before);
    version.answer(wordsOf(tx, orgCode, name));
    return mailOf(tx, orgCode, name);
  }, IMMEDIATE);
}

/** Gives a mail the portal's words again. */
export function standardMail(deps: Deps, actor: AuditActor, name: MailName): MailText {
  const { orgCode } = actor;
  return deps.db.transaction((tx) => {
    const before = wordsOf(tx, orgCode, name);
    mailTextRepo.deleteMailText(tx, orgCode, name);
    recordWords(deps, tx, actor, name, before);
    return mailOf(tx, orgCode, name);
  }, IMMEDIATE);
}

function recordWords(deps: Deps, tx: Tx, actor: AuditActor, name: MailName, before: MailWords): void {
  const { subject, body } = wordsOf(tx, actor.orgCode, name);
  record(deps, tx, actor, {
    action: 'mail-text.updated',
    object: objectOf(name),
    before: { subject: before.subject, body: before.body },
    after: { subject, body },
  });
}

/** @throws Refusal INVALID_REQUEST as `mailTextIssues` says */
export function previewMail({ db, clock }: Deps, orgCode: string, name: MailName, written: MailWords): RenderedMessage {
  const words = clean(written);
  requireWords(name, words);
  const facts = MAIL_KINDS[name].sampleAt(clock.now());
  const brand = organisationRepo.requireOrganisation(db, orgCode);
  return renderMessage(brand, { channel: 'mail', template: name, facts }, words);
}

/** Sends somebody a mail with invented values. @returns the address. @throws Refusal as `previewMail` */
export function tryMail(
  deps: Deps,
  { caller, actor }: { caller: Pick<memberRepo.MemberRow, 'orgCode' | 'suid'>; actor: AuditActor },
  name: MailName,
  written: MailWords,
): string {
  const words = clean(written);
  requireWords(name, words);
  const { orgCode } = caller;
  const member = memberRepo.findMember(deps.db, orgCode, caller.suid);
  if (!member) throw new Refusal('ID_DOESNOT_EXIST');
  const { primaryEmail: to, firstName } = member;
  deps.db.transaction((tx) => {
    const facts = { firstName, of: name, ...words, at: deps.clock.now() };
    writeMessage(deps, tx, { orgCode, to, template: 'tried', facts });
    record(deps, tx, actor, { action: 'mail-text.tried', object: objectOf(name) });
  }, IMMEDIATE);
  deps.bus.changed(TOPIC.outbox);
  return to;
}
