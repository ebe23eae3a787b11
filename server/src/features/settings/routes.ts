import { organisationRepo } from '@orchestrate/db';
import { contract } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { portalLoginPolicy } from '../../core/sign-in/login-policy.ts';
import type { Deps } from '../../deps.ts';
import { implement } from '../../platform/http/implement.ts';
import { shownIp } from '../../platform/ip-range.ts';
import { Refusal } from '../../platform/refusal.ts';
import { checkLogo, saveBranding } from './branding.ts';
import * as orgApp from './org-app.ts';
import { brandingOf, orgSettingsOf } from './org-settings-of.ts';
import * as security from './security.ts';
import { serveLogo } from './serve-logo.ts';
import * as session from './session-settings.ts';

/** An organisation's settings. */
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
    const settings = security.securityOf(organisationRepo.requireOrganisation(deps.db, caller.orgCode));
    version.answer(settings);
    return { ...settings, ownIp: shownIp(ip) };
  });
  implement(app, deps, contract.saveSecurity, ({ actor, ip, body, version }) => ({
    ...security.saveSecurity(deps, actor, body, version),
    ownIp: shownIp(ip),
  }));

  implement(app, deps, contract.saveBranding, ({ actor, form, file, version }) =>
    saveBranding(deps, actor, form, file, version),
  );
  implement(app, deps, contract.checkLogo, ({ file }) => checkLogo(file));
  serveLogo(app, deps);
}
