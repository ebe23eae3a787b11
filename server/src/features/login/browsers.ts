import { browserRepo, organisationRepo, type Tx } from '@orchestrate/db';
import { contract } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { nameOfBrowser } from '../../core/audit/audit-objects.ts';
import { record } from '../../core/audit/record.ts';
import { readBrowserCookie } from '../../core/sign-in/browser-cookie.ts';
import { rememberedFor } from '../../core/sign-in/remember-browser.ts';
import type { Deps } from '../../deps.ts';
import type { AuditActor } from '../../platform/http/callers/actors.ts';
import { implement } from '../../platform/http/implement.ts';
import { isoOf } from '../../platform/iso-of.ts';
import { Refusal } from '../../platform/refusal.ts';

/** The browsers that remember a person, for that person to see and to end. */
export function browsers(app: FastifyInstance, deps: Deps): void {
  const { db, clock } = deps;

  implement(app, deps, contract.listBrowsers, ({ caller: { orgCode, suid }, cookie }) => {
    const organisation = organisationRepo.findOrganisation(db, orgCode);
    const lifetime = organisation ? rememberedFor(organisation) : 0;
    const own = readBrowserCookie(deps, cookie, orgCode);
    const counting = browserRepo
      .listBrowsers(db, orgCode, suid)
      .filter(({ createdAt }) => createdAt + lifetime > clock.now());
    return {
      browsers: counting.map(({ id, userAgent, ip, createdAt, lastUsedAt }) => ({
        id,
        userAgent,
        ip,
        createdAt: isoOf(createdAt),
        lastUsedAt: isoOf(lastUsedAt),
        expiresAt: isoOf(createdAt + lifetime),
        isThis: id === own?.id,
      })),
    };
  });

  const forget = (tx: Tx, actor: AuditActor, suid: string, browser: browserRepo.BrowserRow): boolean => {
    const { orgCode, id, ip } = browser;
    if (!browserRepo.revokeBrowser(tx, orgCode, { id, suid }, clock.now())) return false;
    const object = { type: 'browser', id, name: nameOfBrowser(browser), suid } as const;
    record(deps, tx, actor, { action: 'browser.forgotten', object, before: { ip } });
    return true;
  };

  implement(app, deps, contract.forgetBrowser, ({ caller: { orgCode, suid }, actor, body: { id } }) => {
    db.transaction((tx) => {
      const found = browserRepo.findBrowser(tx, orgCode, id);
      if (!found || !forget(tx, actor, suid, found)) throw new Refusal('ID_DOESNOT_EXIST');
    });
    return {};
  });

  implement(app, deps, contract.forgetBrowsers, ({ caller: { orgCode, suid }, actor }) =>
    db.transaction((tx) => {
      const found = browserRepo.listBrowsers(tx, orgCode, suid);
      const forgotten = found.filter((browser) => forget(tx, actor, suid, browser)).length;
      if (forgotten === 0) throw new Refusal('ID_DOESNOT_EXIST', { message: 'You have no remembered browsers.' });
      return { forgotten };
    }),
  );
}
