import { paths } from '../../paths.ts';

/** The authenticator, about to register a device in an organisation. */
export const activationLink = (orgCode: string): string =>
  `${paths.authenticator}?${new URLSearchParams({ activate: orgCode })}`;
