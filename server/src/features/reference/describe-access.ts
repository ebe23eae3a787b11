import { type Access, type ChannelDefinition, type MemberRights, permissionLabel } from '@orchestrate/shared';

/** Describes in sentences who may call an endpoint. */
export function describeAccess(access: Access): string {
  switch (access.who) {
    case 'public':
      return 'Anyone.';
    case 'device':
      return "Anyone: the device's signature in the body is the proof.";
    case 'signed-in':
      return 'Anyone who is signed in.';
    case 'permission':
      return [access.permission, access.forSaml]
        .flatMap((name, at) =>
          name
            ? [`${at ? 'For SAML applications also anyone' : 'Anyone'} with ${name} (${permissionLabel(name)}).`]
            : [],
        )
        .join(' ');
    case 'lab':
      return 'This machine if the portal is local; all others send LAB_TOKEN as the bearer token. Absent with LAB=off.';
    case 'member': {
      const unconditional = `You need: ${describeRights(access)}.`;
      if (!access.when) return unconditional;
      const { field, is, rights } = access.when;
      return `${unconditional} With \`${field}=${is}\` you need: ${describeRights(rights)}.`;
    }
  }
}

const describeRights = ({ own, reports, others }: MemberRights): string =>
  [
    own && `for yourself, ${needs(own)}`,
    reports && `for a direct report, ${needs(reports)}`,
    others && `for anyone in the organisation, ${needs(others)}`,
  ]
    .filter((rule) => rule !== undefined)
    .join('; ');

const needs = (permissions: true | readonly string[]): string =>
  permissions === true ? 'only to be signed in' : permissions.map((name) => `\`${name}\``).join(' and ');

/** Describes who may open a live channel. */
export function describeChannelAccess(access: ChannelDefinition['access']): string {
  if (access === 'public') return 'Anyone: the id in the query is the secret.';
  if (access === 'device') return 'A device, which authenticates with its first message.';
  if (access === 'lab')
    return 'This machine if the portal is local; all others send the lab token like an access token.';
  return 'Anyone who is signed in; send the access token as the subprotocol `bearer.<token>` together with `orchestrate`.';
}
