import { organisationRepo } from '@orchestrate/db';
import { brandingFields, contract } from '@orchestrate/shared';
import {
  type ConfigurationPart,
  type Import,
  readImage,
  type Step,
  stepAt,
} from '#core/configuration/configuration-part.ts';
import { brandingOf } from '#core/sign-in/org-settings.ts';
import { readPart } from '#platform/http/requests/read-request.ts';
import { ANY_VERSION } from '#platform/http/versions.ts';
import { writeBranding } from './branding.ts';
import { saveSecurity, securitySettingsOf } from './security.ts';
import { configureSession, sessionSettingsOf } from './session-settings.ts';

/** Imports the name, branding, login options and security settings from a file. */
export const configuredSettings: ConfigurationPart = (call) => {
  const { branding, name, loginOptions, security } = call.file.given;
  // Importing another organisation's file must not rename this organisation.
  const isNamed = name !== undefined && call.file.isOwn;
  return [
    ...(branding || isNamed ? [brandingStep(call, isNamed ? { name } : {})] : []),
    ...(loginOptions ? [loginOptionsStep(call, loginOptions)] : []),
    ...(security ? [securityStep(call, security)] : []),
  ];
};

type Input = Import['file']['given'];

const presentOf = ({ deps, actor }: Import) => organisationRepo.requireOrganisation(deps.db, actor.orgCode);

function brandingStep(call: Import, named: { name?: string }): Step {
  const { deps, actor, file } = call;
  const { logo: picture, ...texts } = file.given.branding ?? {};
  return {
    path: ['branding'],
    placeOf: (field) => (field === 'name' ? ['name'] : ['branding', field]),
    prepare: async () => {
      const logo = await readImage(deps, picture);
      return () =>
        deps.db.transaction((tx) => {
          const written = { ...brandingOf(presentOf(call)), ...texts, ...named };
          const { removeLogo: _removed, ...fields } = readPart(brandingFields, written);
          writeBranding(deps, tx, actor, { ...fields, logo }, ANY_VERSION);
        });
    },
  };
}

function loginOptionsStep(call: Import, given: NonNullable<Input['loginOptions']>): Step {
  return {
    ...stepAt(['loginOptions']),
    prepare: () => () => {
      const options = { ...sessionSettingsOf(presentOf(call)), ...given };
      configureSession(call.deps, call.actor, readPart(contract.configureSession.body, options), ANY_VERSION);
    },
  };
}

function securityStep(call: Import, given: NonNullable<Input['security']>): Step {
  return {
    ...stepAt(['security']),
    prepare: () => () => {
      const settings = { ...securitySettingsOf(presentOf(call)), ...given };
      saveSecurity(call.deps, call.actor, readPart(contract.saveSecurity.body, settings), ANY_VERSION);
    },
  };
}
