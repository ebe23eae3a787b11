import { appEnvOf, type QrPayload, qrAddress } from '@orchestrate/shared';
import { paths } from '#paths.ts';
import { qrTemplate } from './qr-template.ts';

/** The address of the authenticator, ready to register a device in an organisation. */
export const activationLink = (orgCode: string): string =>
  `${paths.authenticator}?${new URLSearchParams({ activate: orgCode })}`;

/** The address that a QR code of this portal carries (contract §14). */
export const qrLink = (payload: QrPayload): string =>
  qrAddress(qrTemplate(), payload, appEnvOf(window.location.hostname));
