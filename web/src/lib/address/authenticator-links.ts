import { appEnvOf, type QrPayload, qrAddress } from '@orchestrate/shared';
import { paths } from '#paths.ts';
import { qrTemplate } from './qr-template.ts';

/** Returns the authenticator's URL for registering a device in an organisation. */
export const activationLink = (orgCode: string): string =>
  `${paths.authenticator}?${new URLSearchParams({ activate: orgCode })}`;

/** Returns the URL that a QR code of this portal encodes (contract §14). */
export const qrLink = (payload: QrPayload): string =>
  qrAddress(qrTemplate(), payload, appEnvOf(window.location.hostname));
