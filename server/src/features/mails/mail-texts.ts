import { mailTextRepo, memberRepo, organisationRepo, outboxRepo, type Tx } from '@orchestrate/db';
import {
  HOUR,
  LANGUAGES,
  type Language,
  LIMITS,
  MAILS,
  type MailName,
  type MailText,
  type MailWords,
} from '@orchestrate/shared';
import { mailTextObject } from '#core/audit/audit-objects.ts';
import { record } from '#core/audit/record.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import { type Version, versionOf } from '#platform/http/versions.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { mailTextIssues } from '#platform/mails/mail-text.ts';
import { type RenderedMessage, renderMessage } from '#platform/mails/render-message.ts';
import { COMMON_VARIABLES, MAIL_KINDS, PORTAL_WORDS, requiredSecretOf } from '#platform/mails/templates.ts';
import { writeMessage } from '#platform/mails/write-message.ts';
import { Refusal } from '#platform/refusal.ts';

const variablesOf = (name: MailName) => ({ ...COMMON_VARIABLES, ...MAIL_KINDS[name].variables });

/** Identifies an email in one language. */
export interface MailKey {
  name: MailName;
  language: Language;
}

const rowKeyOf = (orgCode: string, { name, language }: MailKey) => ({ orgCode, template: name, language });

/** Returns an email's texts in a language: the organisation's custom texts if any, otherwise the portal's defaults. */
export function mailWordsOf(tx: Tx, orgCode: string, key: MailKey): MailWords & { isOwn: boolean } {
  const own = mailTextRepo.findMailText(tx, rowKeyOf(orgCode, key));
  const { subject, body } = own ?? PORTAL_WORDS[key.language].texts[key.name];
  return { subject, body, isOwn: own !== undefined };
}

function mailOf(tx: Tx, orgCode: string, key: MailKey): MailText {
  const { name, language } = key;
  const words = mailWordsOf(tx, orgCode, key);
  const needed: string | undefined = requiredSecretOf(name);
  const variables = Object.entries(variablesOf(name)).map(([variable, meaning]) => ({
    name: variable,
    meaning,
    isNeeded: variable === needed,
  }));
  return {
    name,
    language,
    about: MAIL_KINDS[name].about,
    ...words,
    ownIn: LANGUAGES.filter((each) => mailWordsOf(tx, orgCode, { name, language: each }).isOwn),
    standard: PORTAL_WORDS[language].texts[name],
    variables,
    version: versionOf(words),
  };
}

/** Returns all of an organisation's emails, with their texts in a language. */
export const listMails = ({ db }: Deps, orgCode: string, language: Language): MailText[] =>
  MAILS.map((name) => mailOf(db, orgCode, { name, language }));

export const normaliseLineBreaks = ({ subject, body }: MailWords): MailWords => ({
  subject,
  body: body.replaceAll(/\r\n?/g, '\n'),
});

/**
 * Requires an email's texts to be valid.
 * @throws Refusal INVALID_REQUEST if a variable is unknown, or the code or link is missing
 */
function requireWords(name: MailName, words: MailWords): void {
  const issues = mailTextIssues(words, { variables: Object.keys(variablesOf(name)), secret: requiredSecretOf(name) });
  if (issues.length > 0) throw new Refusal('INVALID_REQUEST', { issues });
}

/**
 * Saves an email's custom texts in a language, and returns the email.
 * @throws StaleVersion; Refusal INVALID_REQUEST if `mailTextIssues` finds any
 */
export function saveMail(deps: Deps, actor: AuditActor, key: MailKey, written: MailWords, version: Version): MailText {
  const { orgCode } = actor;
  const words = normaliseLineBreaks(written);
  requireWords(key.name, words);
  return deps.db.transaction((tx) => {
    const before = mailWordsOf(tx, orgCode, key);
    const { id } = mailTextObject(key);
    version.require(tx, { orgCode, id, editable: before, present: () => mailOf(deps.db, orgCode, key) });
    mailTextRepo.saveMailText(tx, { ...rowKeyOf(orgCode, key), ...words });
    recordWords(deps, tx, actor, key, before);
    version.answer(mailWordsOf(tx, orgCode, key));
    return mailOf(tx, orgCode, key);
  });
}

/** Resets an email's texts in a language to the portal's defaults. */
export function resetMail(deps: Deps, actor: AuditActor, key: MailKey): MailText {
  const { orgCode } = actor;
  return deps.db.transaction((tx) => {
    const before = mailWordsOf(tx, orgCode, key);
    mailTextRepo.deleteMailText(tx, rowKeyOf(orgCode, key));
    recordWords(deps, tx, actor, key, before);
    return mailOf(tx, orgCode, key);
  });
}

function recordWords(deps: Deps, tx: Tx, actor: AuditActor, key: MailKey, before: MailWords): void {
  const { subject, body } = mailWordsOf(tx, actor.orgCode, key);
  record(deps, tx, actor, {
    action: 'mail-text.updated',
    object: mailTextObject(key),
    before: { subject: before.subject, body: before.body },
    after: { subject, body },
  });
}

/**
 * Renders an email from unsaved texts with sample values.
 * @throws Refusal INVALID_REQUEST if `mailTextIssues` finds any
 */
export function previewMail(
  { db, clock, publicUrl }: Deps,
  orgCode: string,
  { name, language }: MailKey,
  written: MailWords,
): RenderedMessage {
  const words = normaliseLineBreaks(written);
  requireWords(name, words);
  const facts = MAIL_KINDS[name].sampleAt(clock.now(), PORTAL_WORDS[language]);
  const brand = organisationRepo.requireOrganisation(db, orgCode);
  return renderMessage({ ...brand, publicUrl }, { channel: 'mail', template: name, language, facts }, words);
}

/**
 * Sends a test email with sample values, in the language of its texts.
 * @returns the recipient's address
 * @throws Refusal as in `previewMail`; ORG_EMAIL_LIMIT_REACHED
 */
export function sendTestMail(
  deps: Deps,
  { caller, actor }: { caller: Pick<memberRepo.MemberRow, 'orgCode' | 'suid'>; actor: AuditActor },
  key: MailKey,
  written: MailWords,
): string {
  const { name, language } = key;
  const words = normaliseLineBreaks(written);
  requireWords(name, words);
  const { orgCode } = caller;
  const member = memberRepo.findMember(deps.db, orgCode, caller.suid);
  if (!member) throw new Refusal('ID_DOESNOT_EXIST');
  const { primaryEmail: to, firstName } = member;
  const now = deps.clock.now();
  deps.db.transaction((tx) => {
    if (outboxRepo.countTestEmails(tx, { orgCode, to, since: now - HOUR }) >= LIMITS.triedMailsPerHour) {
      throw new Refusal('ORG_EMAIL_LIMIT_REACHED', {
        message: 'Too many test emails were sent. Try again in an hour.',
      });
    }
    const facts = { firstName, of: name, ...words, at: now };
    writeMessage(deps, tx, { orgCode, to, language, template: 'tried', facts });
    record(deps, tx, actor, { action: 'mail-text.tried', object: mailTextObject(key) });
  });
  deps.bus.changed(TOPIC.outbox);
  return to;
}
