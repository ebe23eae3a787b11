import { type Access, type ChannelDefinition, type MemberRights, permissionLabel } from '@orchestrate/shared';

/** Describes who can call an endpoint. */
export function describeAccess(access: Access): string {
  switch (access.who) {
    case 'public':
      return 'Anyone.';
    case 'device':
      return "Anyone. The device's signature in the body authenticates the request.";
    case 'signed-in':
      return 'Any signed-in member.';
    case 'permission':
      return [access.permission, access.forSaml]
        .flatMap((name, at) =>
          name
            ? [`${at ? 'For SAML applications, also anyone' : 'Anyone'} with ${name} (${permissionLabel(name)}).`]
            : [],
        )
        .join(' ');
    case 'lab':
      return 'Clients on the same machine if the portal is local. All others send LAB_TOKEN as the bearer token. Not available with LAB=off.';
    case 'member': {
      const unconditional = `Required permissions: ${describeRights(access)}.`;
      if (!access.when) return unconditional;
      const { field, is, rights } = access.when;
      return `${unconditional} With \`${field}=${is}\`, required permissions: ${describeRights(rights)}.`;
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

/** Describes who can open a live channel. */
export function describeChannelAccess(access: ChannelDefinition['access']): string {
  if (access === 'public') return 'Anyone. The ID in the query serves as the secret.';
  if (access === 'device') return 'A device that authenticates with its first message.';
  if (access === 'lab')
    return 'Clients on the same machine if the portal is local. All others send the lab token like an access token.';
  return 'Any signed-in member. Send the access token as the subprotocol `bearer.<token>` together with `orchestrate`.';
}
