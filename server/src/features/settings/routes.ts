import { organisationRepo } from '@orchestrate/db';
import {
  configureSession,
  getOrgApp,
  getOrgSettings,
  getSecurity,
  getSessionSettings,
  saveBranding as saveBrandingEntry,
  saveOrgApp,
  saveSecurity,
} from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { portalLoginPolicy } from '../../challenges/login-policy.ts';
import type { Deps } from '../../deps.ts';
import { implement } from '../../http/implement.ts';
import { Refusal } from '../../http/refusal.ts';
import { saveBranding } from './branding.ts';
import * as orgApp from './org-app.ts';
import { orgSettingsOf } from './org-settings-of.ts';
import { ownOrganisation } from './own-organisation.ts';
import * as security from './security.ts';
import { serveLogo } from './serve-logo.ts';
import * as session from './session-settings.ts';

/** An organisation's settings. */
export function settings(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, getOrgSettings, ({ query }) => {
    const organisation = organisationRepo.findOrganisation(deps.db, query.code);
    if (!organisation) throw new Refusal('ORG_CODE_NOT_FOUND');
    return orgSettingsOf(organisation, portalLoginPolicy(deps.db, organisation));
  });

  implement(app, deps, getSessionSettings, ({ caller }) =>
    session.sessionSettingsOf(ownOrganisation(deps.db, caller.orgCode)),
  );
  implement(app, deps, configureSession, ({ caller, body }) => session.configureSession(deps, caller.orgCode, body));

  implement(app, deps, getOrgApp, ({ caller, query }) => ({
    orgApp: orgApp.orgAppOf(orgApp.requireOrgApp(deps.db, caller.orgCode, query.appId)),
  }));
  implement(app, deps, saveOrgApp, ({ caller, body }) => ({ orgApp: orgApp.saveOrgApp(deps, caller.orgCode, body) }));

  implement(app, deps, getSecurity, ({ caller, ip }) =>
    security.securityOf(ownOrganisation(deps.db, caller.orgCode), ip),
  );
  implement(app, deps, saveSecurity, ({ caller, ip, body }) => security.saveSecurity(deps, caller.orgCode, ip, body));

  implement(app, deps, saveBrandingEntry, ({ caller, form, file }) => saveBranding(deps, caller.orgCode, form, file));
  serveLogo(app, deps);
}
