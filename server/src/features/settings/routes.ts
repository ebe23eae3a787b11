import { logoRepo, organisationRepo } from '@orchestrate/db';
import { contract } from '@orchestrate/shared';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { portalLoginPolicy } from '#core/sign-in/login-policy.ts';
import { brandingOf, orgSettingsOf } from '#core/sign-in/org-settings.ts';
import type { Deps } from '#deps.ts';
import { fieldsOf } from '#platform/http/callers/permissions.ts';
import { implement } from '#platform/http/implement.ts';
import { formatIp } from '#platform/ip-range.ts';
import { Refusal } from '#platform/refusal.ts';
import { checkLogo, saveBranding } from './branding.ts';
import * as orgApp from './org-app.ts';
import * as security from './security.ts';
import * as session from './session-settings.ts';

/** Browsers open an SVG as a document. The policy lets that document use only its own styles, images and fonts. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; frame-ancestors 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // Logos are public, so applications and emails can embed them.
  'cross-origin-resource-policy': 'cross-origin',
};

const A_YEAR = 'public, max-age=31536000, immutable';

type Picture = Pick<logoRepo.LogoRow, 'contentType' | 'bytes' | 'etag'>;

/**
 * Serves logos publicly. A missing logo returns 404, because the sign-in page hides logos that fail to load (spec 1
 * §2).
 */
function serveLogo(app: FastifyInstance, { db }: Deps): void {
  app.get('/logos/:orgCode', (request, reply) => {
    const { orgCode } = fieldsOf(request.params);
    return send(request, reply, logoRepo.findLogo(db, String(orgCode).toLowerCase()));
  });
  app.get('/logos/:orgCode/:appId', (request, reply) => {
    const { orgCode, appId } = fieldsOf(request.params);
    return send(request, reply, logoRepo.findAppLogo(db, String(orgCode).toLowerCase(), String(appId)));
  });
}

function send(request: FastifyRequest, reply: FastifyReply, logo: Picture | undefined): FastifyReply {
  if (!logo) throw new Refusal('ID_DOESNOT_EXIST', { message: "This logo doesn't exist." });
  const etag = `"${logo.etag}"`;
  const isNamed = fieldsOf(request.query).v === logo.etag;
  reply.headers({ ...HEADERS, etag, 'cache-control': isNamed ? A_YEAR : 'no-cache' });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  return reply.type(logo.contentType).send(logo.bytes);
}

/** Serves an organisation's settings. */
export function settings(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.getOrgSettings, ({ query, version }) => {
    const organisation = organisationRepo.findOrganisation(deps.db, query.code);
    if (!organisation) throw new Refusal('ORG_CODE_NOT_FOUND');
    version.answer(brandingOf(organisation));
    return orgSettingsOf(organisation, portalLoginPolicy(deps.db, organisation));
  });

  implement(app, deps, contract.getSessionSettings, ({ caller, version }) => {
    const settings = session.sessionSettingsOf(organisationRepo.requireOrganisation(deps.db, caller.orgCode));
    version.answer(settings);
    return settings;
  });
  implement(app, deps, contract.configureSession, ({ actor, body, version }) =>
    session.configureSession(deps, actor, body, version),
  );

  implement(app, deps, contract.getOrgLoginOptions, ({ caller }) =>
    session.orgLoginOptionsOf(organisationRepo.requireOrganisation(deps.db, caller.orgCode)),
  );

  implement(app, deps, contract.getOrgApp, ({ caller, query, version }) => {
    const shown = orgApp.orgAppOf(orgApp.requireOrgApp(deps.db, caller.orgCode, query.appId));
    version.answer(orgApp.loginOptionsOf(shown));
    return { orgApp: shown };
  });
  implement(app, deps, contract.saveOrgApp, ({ actor, body, version }) => ({
    orgApp: orgApp.saveOrgApp(deps, actor, body, version),
  }));

  implement(app, deps, contract.getSecurity, ({ caller, ip, version }) => {
    const settings = security.securitySettingsOf(organisationRepo.requireOrganisation(deps.db, caller.orgCode));
    version.answer(settings);
    return { ...settings, ownIp: formatIp(ip) };
  });
  implement(app, deps, contract.saveSecurity, ({ actor, ip, body, version }) => ({
    ...security.saveSecurity(deps, actor, body, version),
    ownIp: formatIp(ip),
  }));

  implement(app, deps, contract.saveBranding, ({ actor, form, file, version }) =>
    saveBranding(deps, actor, form, file, version),
  );
  implement(app, deps, contract.checkLogo, ({ file }) => checkLogo(file));
  serveLogo(app, deps);
}
