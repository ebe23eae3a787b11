import { crc32 } from 'node:zlib';
import { checkLogo, getOrgSettings, LIMITS, listActivity, saveBranding } from '@orchestrate/shared';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let token: string;
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn('security.admin@acme.test'));
});
afterEach(() => portal.close());

const TEXTS = {
  name: 'Acme',
  color: '#1e3A8a',
  title: 'Welcome',
  bannerText: 'Hello',
  loginButtonName: 'Enter',
  copyrightText: '© Acme',
};
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script><rect width="9" height="9"/></svg>';

function save(changes: object = {}, file?: File) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...TEXTS, ...changes })) form.append(name, String(value));
  if (file) form.append('file', file);
  return portal.call(saveBranding, { body: form }, { token });
}
const png = (name = 'logo.png') => new File([PNG], name);
const settings = async () => (await portal.call(getOrgSettings, { query: { code: 'acme' } })).body;
const logoAt = (address: string | null) => portal.http.get(`${address}`);

// covers: spec 2.1.5, spec 2.7.13
test('saves branding texts and colour and shows them on the sign-in page immediately', async () => {
  const { body } = await save();
  expect(body).toMatchObject({ resultCode: 0, ...TEXTS, logo: null, image: 'kept', imageMessage: '' });
  expect(await settings()).toMatchObject(TEXTS);
});

test('keeps line breaks in the banner and doesn’t treat an unchanged banner as a change', async () => {
  const bannerText = `${'x'.repeat(248)}\n${'y'.repeat(251)}`;
  // Browsers submit line breaks as CRLF.
  const sent = bannerText.replace('\n', '\r\n');
  await save({ bannerText: sent });
  expect((await settings()).bannerText).toBe(bannerText);
  await save({ bannerText: sent, title: 'Another' });
  const { Items } = (await portal.call(listActivity, { query: { action: 'branding.updated' } }, { token })).body;
  expect(Items[0]?.changes.map(({ field }) => field)).toEqual(['title']);
});

// covers: spec 1.2.27, spec 2.2.53
test('serves a saved logo publicly at its own URL with permanent caching', async () => {
  const { body } = await save({}, png());
  expect(body).toMatchObject({
    image: 'saved',
    imageMessage: '',
    logo: expect.stringMatching(/^\/logos\/acme\?v=[\w-]{22}$/),
  });
  expect((await settings()).logo).toBe(body.logo);
  const answer = await logoAt(body.logo);
  expect(answer.headers).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  });
  expect(answer.body).toEqual(PNG);
  const plain = await logoAt('/logos/acme');
  expect(plain.headers['cache-control']).toBe('no-cache');
  const again = await logoAt('/logos/acme').set('if-none-match', plain.headers.etag ?? '');
  expect(again.status).toBe(304);
});

// covers: spec 2.5.19, security 1.3.4, security 5.3.1
test('sanitises an SVG so that opening it directly runs nothing', async () => {
  const { body } = await save({}, new File([SVG], 'logo.svg'));
  const answer = await logoAt(body.logo);
  expect(answer.headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; frame-ancestors 'none'; sandbox",
  });
  expect(String(answer.body)).toBe('<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"></rect></svg>');
});

const check = (file: File) => {
  const body = new FormData();
  body.append('file', file);
  return portal.call(checkLogo, { body }, { token });
};
const fileOf = (content: string | Buffer, name = 'logo.svg') => new File([new Uint8Array(Buffer.from(content))], name);

test('previews a logo exactly as it will be served and lists what was removed', async () => {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><style>@import "https://evil.test/x";@media (prefers-color-scheme: dark){.a{fill:#fff}}</style><image href="https://evil.test/x.png"/><foreignObject/><rect class="a" width="9" height="9"/></svg>`;
  const { body: preview } = await check(fileOf(drawing));
  expect(preview.removed).toEqual(['onload', '@import', '<image> https://evil.test/x.png', '<foreignObject>']);
  expect((await settings()).logo).toBeNull();
  const { body } = await save({}, fileOf(drawing));
  expect(body.imageRemoved).toEqual(preview.removed);
  const served = await logoAt(body.logo);
  expect(preview.logo).toBe(`data:image/svg+xml;base64,${served.body.toString('base64')}`);
  expect(String(served.body)).toContain('@media (prefers-color-scheme: dark){.a{fill:#fff}}');
});

test('explains why a file can’t be used as a logo before saving', async () => {
  const { status, body } = await check(fileOf('<svg'));
  expect(status).toBe(400);
  expect(body).toMatchObject({ issues: [{ path: 'file', message: 'This SVG is not well-formed (line 1)' }] });
});

test.each(['utf16le', 'latin1'] as const)('reads an SVG encoded in %s', async (encoding) => {
  const declared = encoding === 'latin1' ? '<?xml version="1.0" encoding="ISO-8859-1"?>' : '\ufeff';
  const text = `${declared}<svg xmlns="http://www.w3.org/2000/svg"><text>Käse</text></svg>`;
  const { body } = await save({}, fileOf(Buffer.from(text, encoding)));
  expect(String((await logoAt(body.logo)).body)).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg"><text>Käse</text></svg>',
  );
});

/**
 * Creates an image with location, author and comment metadata. The image appears sideways unless its EXIF orientation
 * is applied.
 */
const described = (format: 'png' | 'jpeg' | 'webp', orientation: number) =>
  sharp({ create: { width: 16, height: 8, channels: 3, background: '#1e3a8a' } })
    .withExif({ IFD0: { Copyright: 'Somebody' }, IFD3: { GPSLatitude: '51/1 30/1 3230/100' } })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
    .withMetadata({ orientation })
    .toFormat(format)
    .toBuffer();

test.each([
  ['png', 1],
  ['png', 6],
  ['jpeg', 1],
  ['jpeg', 6],
  ['webp', 1],
  ['webp', 6],
] as const)('removes metadata from a %s with orientation %i and rotates it upright', async (format, orientation) => {
  const { body } = await save({}, fileOf(await described(format, orientation), `logo.${format}`));
  expect(body).toMatchObject({ image: 'saved', imageRemoved: expect.arrayContaining(['EXIF']) });
  const served: Buffer = (await logoAt(body.logo)).body;
  expect(served.toString('latin1')).not.toMatch(/Exif|eXIf|EXIF|xmpmeta|Somebody/);
  const stored = sharp(served);
  const size = orientation === 1 ? { width: 16, height: 8 } : { width: 8, height: 16 };
  expect(await stored.metadata()).toMatchObject({ format, ...size });
  expect((await stored.metadata()).orientation ?? 1).toBe(1);
  await expect(stored.stats()).resolves.toBeDefined();
});

test('keeps every pixel of a lossless WebP when rotating it', async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  const original = await sharp({ create: { width: 32, height: 16, channels: 3, background: '#000', noise } })
    .withMetadata({ orientation: 6 })
    .webp({ lossless: true })
    .toBuffer();
  const { body } = await save({}, fileOf(original, 'logo.webp'));
  const pixels = (file: Buffer) => sharp(file).autoOrient().raw().toBuffer();
  expect(await pixels((await logoAt(body.logo)).body)).toEqual(await pixels(original));
});

test('keeps every pixel of an image when removing its metadata', async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  const original = await sharp({ create: { width: 32, height: 32, channels: 3, background: '#000', noise } })
    .withExif({ IFD0: { Copyright: 'Somebody' } })
    .jpeg({ progressive: true })
    .toBuffer();
  const { body } = await save({}, fileOf(original, 'logo.jpg'));
  const pixels = (file: Buffer) => sharp(file).raw().toBuffer();
  expect(await pixels((await logoAt(body.logo)).body)).toEqual(await pixels(original));
});

test('removes comments and application data from a GIF', async () => {
  const gif = await logoColumns(8).gif().toBuffer();
  const comment = Buffer.from('!\xfe\x08Somebody\0', 'latin1');
  const start = 13 + 3 * 2 ** (((gif[10] ?? 0) & 7) + 1);
  const { body } = await save(
    {},
    fileOf(Buffer.concat([gif.subarray(0, start), comment, gif.subarray(start)]), 'a.gif'),
  );
  expect(body.imageRemoved).toContain('Comment');
  const served: Buffer = (await logoAt(body.logo)).body;
  expect(served.includes('Somebody')).toBe(false);
  await expect(sharp(served).stats()).resolves.toBeDefined();
});

test('keeps images embedded in an SVG but removes their metadata', async () => {
  const jpeg = await described('jpeg', 6);
  const address = `data:image/png;base64,${jpeg.toString('base64')}`;
  const image = (href: string) => `<image width="9" height="9" href="${href}"/>`;
  const text = `<svg xmlns="http://www.w3.org/2000/svg">${image(address)}${image('data:image/png;base64,AAAA')}</svg>`;
  const { body } = await save({}, fileOf(text));
  expect(body.imageRemoved).toEqual(['<image>']);
  const served = String((await logoAt(body.logo)).body);
  const [, stored = ''] = /href="data:image\/jpeg;base64,([^"]+)"/.exec(served) ?? [];
  const picture = Buffer.from(stored, 'base64');
  expect(picture.toString('latin1')).not.toMatch(/Exif|Somebody/);
  expect(await sharp(picture).metadata()).toMatchObject({ width: 8, height: 16 });
});

/**
 * Creates a single-colour square logo.
 * @param side length in pixels
 */
const logoColumns = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#1e3a8a' } });
/** Cuts the middle out of an image file. */
const withoutMiddle = (file: Buffer) => Buffer.concat([file.subarray(0, 60), file.subarray(-60)]);

test.each(['png', 'jpeg', 'gif', 'webp'] as const)('detects the image type from the content: %s', async (format) => {
  const content = await logoColumns(64).toFormat(format).toBuffer();
  const { body } = await save({}, new File([new Uint8Array(content)], 'logo'));
  expect(body).toMatchObject({ image: 'saved', imageMessage: '' });
  expect((await logoAt(body.logo)).headers['content-type']).toBe(`image/${format}`);
});

test.each(['png', 'jpeg', 'gif', 'webp'] as const)('rejects a damaged %s despite a valid header', async (format) => {
  const noise = sharp({
    create: {
      width: 64,
      height: 64,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  });
  const whole = await noise.toFormat(format).toBuffer();
  for (const content of [whole.subarray(0, 32), whole.subarray(0, whole.length / 2), withoutMiddle(whole)]) {
    const { body } = await save({}, new File([new Uint8Array(content)], 'logo'));
    expect(body).toMatchObject({ image: 'refused', imageMessage: 'This image is damaged', logo: null });
  }
});

test('rejects a small file that would decompress to more pixels than a logo can have', async () => {
  const png = await logoColumns(64).png().toBuffer();
  png.writeUInt32BE(30_000, 16);
  png.writeUInt32BE(30_000, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  const webp = await logoColumns(5_000).webp({ effort: 0 }).toBuffer();
  for (const [name, content, size] of [
    ['logo.png', png, '30000 × 30000'],
    ['logo.webp', webp, '5000 × 5000'],
  ] as const) {
    const { body } = await save({}, new File([new Uint8Array(content)], name));
    const message = `This image has ${size} pixels; the limit is 16 million in total`;
    expect(body).toMatchObject({ image: 'refused', imageMessage: message, logo: null });
  }
});

/** Creates an animated image with a blue and a red frame of 8 × 8 pixels. */
async function movingPicture(format: 'gif' | 'webp' | 'png'): Promise<Buffer> {
  const frame = (background: string) =>
    sharp({ create: { width: 8, height: 8, channels: 3, background } })
      .png()
      .toBuffer();
  const frames = await Promise.all([frame('#00f'), frame('#f00')]);
  if (format === 'png') return animatedPng(frames[0] ?? Buffer.of());
  return sharp(frames, { join: { animated: true } })
    .toFormat(format, { loop: 0 })
    .toBuffer();
}

/** Inserts an animation chunk (`acTL`, W3C PNG 3 §11.3.6.1) before a PNG's image data. */
function animatedPng(png: Buffer): Buffer {
  const chunk = Buffer.from('\0\0\0\x08acTL\0\0\0\x02\0\0\0\0\0\0\0\0', 'latin1');
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 16)), 16);
  const afterHeader = 33;
  return Buffer.concat([png.subarray(0, afterHeader), chunk, png.subarray(afterHeader)]);
}

test.each(['gif', 'webp', 'png'] as const)('keeps only the first frame of an animated %s', async (format) => {
  const content = await movingPicture(format);
  const { body } = await save({}, new File([new Uint8Array(content)], `logo.${format}`));
  const answer = await logoAt(body.logo);
  expect(answer.headers['content-type']).toBe(`image/${format}`);
  expect(answer.body.includes('acTL')).toBe(false);
  const stored = sharp(answer.body, { pages: -1 });
  expect(await stored.metadata()).toMatchObject({ format, width: 8, height: 8 });
  expect((await stored.stats()).dominant).toMatchObject({ r: 8, g: 8, b: 248 });
});

// covers: spec 2.5.18
test.each<[string, string, string | Buffer<ArrayBuffer>, string]>([
  ['a PNG named .svg', 'logo.svg', PNG, 'The content of this file does not match its name'],
  ['an SVG named .png', 'logo.png', SVG, 'The content of this file does not match its name'],
  ['an SVG that is not well-formed', 'logo.svg', '<svg', 'This SVG is not well-formed (line 1)'],
  [
    'an SVG with a wrong encoding declaration',
    'logo.svg',
    Buffer.from('<svg>\xff</svg>', 'latin1'),
    'This file is not valid UTF-8. Save it as UTF-8.',
  ],
  [
    'an SVG in an unknown encoding',
    'logo.svg',
    '<?xml version="1.0" encoding="KOI-9"?><svg/>',
    'The encoding KOI-9 is not supported. Save the file as UTF-8.',
  ],
  ['an HTML page', 'logo', '<html></html>', 'This is not an SVG file'],
  ['a HEIC photo named .png', 'logo.png', '\0\0\0\x24ftypheic', 'The content of this file does not match its name'],
  ['a text file', 'logo.txt', 'hello', 'Only PNG, JPEG, WebP, GIF, SVG files are allowed'],
  ['an empty file', 'logo.png', '', 'This file is empty'],
  ['a file of 2 MB and a byte', 'logo.png', Buffer.concat([PNG], LIMITS.logoBytes + 1), 'File is larger than 2 MB'],
  [
    'a file of 10 MB and a byte',
    'logo.png',
    Buffer.concat([PNG], LIMITS.logoWarningBytes + 1),
    'File is larger than 2 MB',
  ],
])('keeps the logo and saves the other fields if it rejects %s', async (_what, name, content, message) => {
  const { logo } = (await save({}, png())).body;
  const { status, body } = await save({ title: 'New title' }, new File([content], name));
  expect(status).toBe(200);
  expect(body).toMatchObject({ resultCode: 0, image: 'refused', imageMessage: message, title: 'New title', logo });
  expect(await settings()).toMatchObject({ title: 'New title', logo });
  expect((await logoAt(logo)).status).toBe(200);
});

// covers: spec 2.5.18
test('accepts a logo of exactly 2 MB', async () => {
  const { body } = await save({}, new File([Buffer.concat([PNG], LIMITS.logoBytes)], 'logo.png'));
  expect(body.image).toBe('saved');
});

test('keeps the logo if the form contains no file', async () => {
  const { logo } = (await save({}, png())).body;
  expect((await save({}, new File([], ''))).body).toMatchObject({ image: 'kept', logo });
});

test('removes a logo on request, unless a new one is uploaded', async () => {
  await save({}, png());
  expect((await save({ removeLogo: 'true' }, new File([SVG], 'logo.svg'))).body.image).toBe('saved');
  expect((await save({ removeLogo: 'true' })).body).toMatchObject({ image: 'removed', logo: null });
  expect((await settings()).logo).toBeNull();
  expect((await logoAt('/logos/acme')).status).toBe(404);
});

test.each([
  ['name', ''],
  ['name', 'x'.repeat(101)],
  ['color', 'yellow'],
  ['color', '#12345g'],
  ['title', ' '],
  ['bannerText', 'x'.repeat(501)],
  ['loginButtonName', 'x'.repeat(41)],
  ['copyrightText', 'x'.repeat(201)],
  ['removeLogo', 'perhaps'],
])('rejects the %s %j and saves nothing, not even the logo', async (field, value) => {
  const before = await settings();
  const refused = await save({ title: 'New title', [field]: value }, png());
  expect(refused).toMatchObject({ status: 400, body: { resultName: 'INVALID_REQUEST', issues: [{ path: field }] } });
  expect(await settings()).toEqual(before);
});

// covers: spec 2.8.36
test('saves texts but rejects files in disaster recovery mode (UPLOAD_BLOCKED_IN_DR)', async () => {
  await portal.close();
  portal = await testPortal({ config: { drMode: true } });
  ({ token } = await portal.signIn('security.admin@acme.test'));
  expect((await save()).body.resultCode).toBe(0);
  expect(await save({ title: 'New title' }, png())).toMatchObject({
    status: 200,
    body: { resultName: 'UPLOAD_BLOCKED_IN_DR' },
  });
  expect((await settings()).title).toBe('Welcome');
});
