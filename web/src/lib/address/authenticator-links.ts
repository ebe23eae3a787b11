import { appEnvOf, type QrPayload, qrAddress } from '@orchestrate/shared';
import { paths } from '#paths.ts';

/** Returns the authenticator's URL for registering a device in an organisation. */
export const activationLink = (orgCode: string): string =>
  `${paths.authenticator}?${new URLSearchParams({ activate: orgCode })}`;

/** Returns the URL that a QR code of this portal encodes (contract §14). */
export const qrLink = (payload: QrPayload): string =>
  qrAddress(qrTemplate(), payload, appEnvOf(window.location.hostname));

const ownAuthenticator = () => new URL(paths.authenticator, window.location.origin).href;

/** Returns the configured template for QR codes. By default, QR codes open this portal's authenticator page. */
export const qrTemplate = (): string => import.meta.env.VITE_QR_TEMPLATE ?? ownAuthenticator();

/** Returns true if QR codes open this portal's simulated authenticator. */
export const hasOwnAuthenticator = (): boolean => qrTemplate() === ownAuthenticator();
