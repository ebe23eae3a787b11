/**
 * The URLs in QR codes (contract §14), which open the authenticator screen from a phone's camera. Sign-in and test:
 * `{template}?qidCode=…&orgCode=…&sourceId=login|test-device&appEnv=…`; add device: `…?aid=…&orgCode=…`.
 */
export type AppEnv = 'dev' | 'qa' | 'uat' | 'prod';

export type QrPayload =
  | { kind: 'sign-in' | 'test-device'; orgCode: string; qidCode: string }
  | { kind: 'add-device'; orgCode: string; aid: string };

/** Returns the environment for a site's host name: `dev` unless a label names a different environment (spec 1 §7). */
export function appEnvOf(host: string): AppEnv {
  const labels = host.toLowerCase().split(/[.:-]/);
  return (['qa', 'uat', 'prod'] as const).find((env) => labels.includes(env)) ?? 'dev';
}

/** Returns the URL for a QR code. `template` is an absolute URL, usually `{PUBLIC_URL}/authenticator`. */
export function qrAddress(template: string, payload: QrPayload, env: AppEnv = 'dev'): string {
  const address = new URL(template);
  if (payload.kind === 'add-device') {
    address.searchParams.set('aid', payload.aid);
    address.searchParams.set('orgCode', payload.orgCode);
    return address.href;
  }
  address.searchParams.set('qidCode', payload.qidCode);
  address.searchParams.set('orgCode', payload.orgCode);
  address.searchParams.set('sourceId', payload.kind === 'sign-in' ? 'login' : 'test-device');
  if (env !== 'prod') address.searchParams.set('appEnv', env);
  return address.href;
}

/** Reads the payload of a scanned URL. Returns null if the URL isn't from a portal QR code. */
export function readQrAddress(scanned: string): QrPayload | null {
  if (!URL.canParse(scanned)) return null;
  const { searchParams } = new URL(scanned);
  const orgCode = searchParams.get('orgCode');
  const aid = searchParams.get('aid');
  const qidCode = searchParams.get('qidCode');
  if (!orgCode) return null;
  if (aid) return { kind: 'add-device', orgCode, aid };
  if (!qidCode) return null;
  return { kind: searchParams.get('sourceId') === 'test-device' ? 'test-device' : 'sign-in', orgCode, qidCode };
}
