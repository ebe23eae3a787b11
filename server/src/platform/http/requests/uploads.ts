import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import multipart, { type Multipart, type MultipartFile } from '@fastify/multipart';
import type { EndpointDefinition } from '@orchestrate/shared';
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { Refusal } from '../../refusal.ts';
import { readPart } from './read-request.ts';

/** The file of an upload. */
export interface UploadedFile {
  /** The name given by the sender. */
  name: string;
  /** Its size; while it is still arriving, the size of the request, which is slightly more. */
  bytes: number;
  /** Whether an optional file exceeds its limit: then only its beginning was read, and nothing after it. */
  isTooLarge: boolean;
  /** Can be read only once. @throws Refusal BAD_REQUEST where the upload breaks off. */
  chunks: AsyncIterable<Buffer>;
}

/** An upload whose text fields have been read. */
export interface OpenUpload {
  fields: Readonly<Record<string, string>>;
  file: UploadedFile | undefined;
  /** Releases the file, and whatever is still arriving. */
  close(): Promise<void>;
}

/** Limit for the text fields, their names and the boundaries around them. */
const FORM_MAX_BYTES = 65_536;
const LIMITS = { fields: 30, fieldNameSize: 100, fieldSize: 2_000, files: 4, parts: 34, headerPairs: 20 };
const TOO_MUCH = 'Forms can have at most 30 fields and 4 files.';

/** Adds a route that accepts uploads, in a scope of its own, so that other requests do not pay for the parser. */
export function allowUploads(app: FastifyInstance, add: (scope: FastifyInstance) => void): void {
  const plugin: FastifyPluginAsync = async (scope) => {
    await scope.register(multipart, { throwFileSizeLimit: false });
    add(scope);
  };
  void app.register(plugin);
}

/**
 * Reads an upload up to its file. A file that surely fits and comes after all declared fields is then read as it
 * arrives. Any other file is first stored on disk, so that the order of the parts does not matter, and a file that is
 * too large is noticed before half of it has been used. An optional file that is too large is read no further, and the
 * fields before it are kept.
 * @throws Refusal BAD_REQUEST: 415 no form, 413 too large, 400 unreadable or broken off
 */
export async function openUpload(entry: EndpointDefinition, request: FastifyRequest): Promise<OpenUpload> {
  const maxBytes = entry.file?.maxBytes ?? 0;
  const announced = Number(request.headers['content-length'] ?? Number.NaN);
  const names = Object.keys(entry.multipart?.shape ?? {});
  const isOptional = entry.file?.isOptional ?? false;
  const upload = new Upload(request, maxBytes, isOptional);
  request.server.arriving.allowUpload(request.raw);
  try {
    if (!request.isMultipart())
      throw new Refusal('BAD_REQUEST', { status: 415, message: 'Expected a multipart/form-data upload.' });
    upload.isFarTooLarge = announced > 4 * maxBytes + FORM_MAX_BYTES;
    if (announced > maxBytes + FORM_MAX_BYTES && !isOptional) throw tooLarge(maxBytes);
    await upload.read({ names, mayStream: announced <= maxBytes, announced });
    return upload;
  } catch (reason) {
    await upload.close();
    throw reason;
  }
}

/** The text fields as the entry declares them. @throws Refusal as `readRequest` */
export function readForm({ multipart: schema, file }: EndpointDefinition, upload: OpenUpload | undefined): unknown {
  if (!schema || !upload) return undefined;
  const form = readPart(schema, upload.fields);
  if (file && !file.isOptional && !upload.file) {
    throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'file', message: 'This field is required' }] });
  }
  return form;
}

const tooLarge = (maxBytes: number) =>
  new Refusal('BAD_REQUEST', { status: 413, message: `File is larger than ${Math.round(maxBytes / 1_048_576)} MB` });

const brokenOff = () => new Refusal('BAD_REQUEST', { message: 'The upload was interrupted or is not a valid form.' });

interface Reading {
  /** The names of the declared text fields. */
  names: readonly string[];
  mayStream: boolean;
  /** Bytes of the request; NaN if it does not say. */
  announced: number;
}

class Upload implements OpenUpload {
  readonly fields: Record<string, string> = {};
  file: UploadedFile | undefined;
  /** So large that waiting for its end is not worthwhile. */
  isFarTooLarge = false;
  readonly #request: FastifyRequest;
  readonly #maxBytes: number;
  readonly #isOptional: boolean;
  #arriving: Readable | undefined;
  #laidAside: FileHandle | undefined;

  constructor(request: FastifyRequest, maxBytes: number, isOptional: boolean) {
    this.#request = request;
    this.#maxBytes = maxBytes;
    this.#isOptional = isOptional;
  }

  async read(reading: Reading): Promise<void> {
    // One byte more than the limit shows that there is more.
    const limits = { ...LIMITS, fileSize: this.#maxBytes + 1 };
    const parts = this.#request.parts({ limits });
    for (let part = await next(parts); part; part = await next(parts)) {
      // Browsers send the line breaks of a form as CRLF (HTML §4.10.21.8).
      if (part.type === 'field') this.fields[part.fieldname] = String(part.value).replaceAll('\r\n', '\n');
      else if (part.fieldname !== 'file' || this.file) part.file.resume();
      else if (await this.#take(part, reading)) return;
    }
  }

  /** @returns whether the file is read as it arrives, or no further, so that nothing after it counts */
  async #take(part: MultipartFile, { names, mayStream, announced }: Reading): Promise<boolean> {
    const isStreamed = mayStream && names.every((name) => name in this.fields);
    this.#arriving = part.file;
    // If nobody has chosen a file, a browser sends one without a name, which the parser leaves out.
    const name = part.filename ?? '';
    if (isStreamed) this.file = { name, bytes: announced, isTooLarge: false, chunks: chunksOf(part.file) };
    else this.file = { name, ...(await this.#layAside(part)) };
    return isStreamed || this.file.isTooLarge;
  }

  async #layAside({ file }: MultipartFile): Promise<Omit<UploadedFile, 'name'>> {
    const path = join(tmpdir(), `orchestrate-upload-${randomUUID()}`);
    const handle = await open(path, 'wx+', 0o600);
    this.#laidAside = handle;
    // Unlinked from here on, so it disappears with this process, however that ends.
    await unlink(path);
    let bytes = 0;
    for await (const chunk of chunksOf(file)) {
      bytes += chunk.length;
      if (bytes > this.#maxBytes) break;
      await handle.writeFile(chunk);
    }
    const isTooLarge = bytes > this.#maxBytes;
    if (isTooLarge && !this.#isOptional) throw tooLarge(this.#maxBytes);
    return { bytes, isTooLarge, chunks: chunksOf(handle.createReadStream({ start: 0, autoClose: false })) };
  }

  async close(): Promise<void> {
    const { raw } = this.#request;
    this.#arriving?.destroy();
    await this.#laidAside?.close();
    raw.unpipe();
    raw.resume();
    // Answered once everything has arrived, so that even the simplest client gets the answer and can reuse the
    // connection.
    if (!this.isFarTooLarge) await finished(raw, { writable: false }).catch(() => {});
  }
}

/** The next part; errors in the form are reported without naming the parser. */
async function next(parts: AsyncIterator<Multipart>): Promise<Multipart | undefined> {
  try {
    const { value, done } = await parts.next();
    return done ? undefined : value;
  } catch (reason) {
    const isTooMuch = reason instanceof Error && 'statusCode' in reason && reason.statusCode === 413;
    throw isTooMuch ? new Refusal('BAD_REQUEST', { status: 413, message: TOO_MUCH }) : brokenOff();
  }
}

async function* chunksOf(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* file;
  } catch {
    throw brokenOff();
  }
}
