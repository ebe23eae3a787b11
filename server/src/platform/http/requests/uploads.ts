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

/** Uploaded file. */
export interface UploadedFile {
  /** File name sent by the client. */
  name: string;
  /** Size in bytes. For a streamed file, the size of the whole request, which is slightly larger. */
  bytes: number;
  /** True if an optional file exceeds its limit. In that case, the rest of the file and later fields are not read. */
  isTooLarge: boolean;
  /** File contents, which can be read only once. @throws Refusal BAD_REQUEST if the upload is interrupted */
  chunks: AsyncIterable<Buffer>;
}

/** An upload whose text fields have been read. */
export interface OpenUpload {
  fields: Readonly<Record<string, string>>;
  file: UploadedFile | undefined;
  /** Releases the file and the rest of the request. */
  close(): Promise<void>;
}

/** Maximum total size of text fields including names and boundaries, in bytes. */
const FORM_MAX_BYTES = 65_536;
const LIMITS = { fields: 30, fieldNameSize: 100, fieldSize: 2_000, files: 4, parts: 34, headerPairs: 20 };
const TOO_MUCH = 'Forms can have at most 30 fields and 4 files.';

/**
 * Adds a route that accepts uploads. The route gets its own Fastify scope, so that the parser doesn't slow down other
 * requests.
 */
export function allowUploads(app: FastifyInstance, add: (scope: FastifyInstance) => void): void {
  const plugin: FastifyPluginAsync = async (scope) => {
    await scope.register(multipart, { throwFileSizeLimit: false });
    add(scope);
  };
  void app.register(plugin);
}

/**
 * Reads an upload up to its file. The file is streamed if it is certainly within the limit and follows all declared
 * fields. Otherwise it is stored on disk first, so that the field order doesn't matter and a file that is too large
 * is refused before it is used. An optional file that is too large is skipped, but the fields before it are kept.
 * @throws Refusal BAD_REQUEST with HTTP 415 if the upload isn't a form, 413 if it is too large, or 400 if it is
 * invalid or interrupted
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

/** Parses the text fields with the contract entry's schema. @throws Refusal as `readRequest` does */
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
  /** Names of the declared text fields. */
  names: readonly string[];
  mayStream: boolean;
  /** Content-Length of the request; NaN if it is missing. */
  announced: number;
}

class Upload implements OpenUpload {
  readonly fields: Record<string, string> = {};
  file: UploadedFile | undefined;
  /** True if the upload is so large that the rest of it must not be read. */
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
    // Reading one byte past the limit reveals that the file is too large.
    const limits = { ...LIMITS, fileSize: this.#maxBytes + 1 };
    const parts = this.#request.parts({ limits });
    for (let part = await next(parts); part; part = await next(parts)) {
      // Browsers send form line breaks as CRLF (HTML §4.10.21.8).
      if (part.type === 'field') this.fields[part.fieldname] = String(part.value).replaceAll('\r\n', '\n');
      else if (part.fieldname !== 'file' || this.file) part.file.resume();
      else if (await this.#take(part, reading)) return;
    }
  }

  /**
   * Handles the file of a form. Returns true if the file is streamed or skipped, which means that later fields are
   * ignored.
   */
  async #take(part: MultipartFile, { names, mayStream, announced }: Reading): Promise<boolean> {
    const isStreamed = mayStream && names.every((name) => name in this.fields);
    this.#arriving = part.file;
    // If no file is chosen, browsers send a file with an empty name, which the parser reports as undefined.
    const name = part.filename ?? '';
    if (isStreamed) this.file = { name, bytes: announced, isTooLarge: false, chunks: chunksOf(part.file) };
    else this.file = { name, ...(await this.#layAside(part)) };
    return isStreamed || this.file.isTooLarge;
  }

  async #layAside({ file }: MultipartFile): Promise<Omit<UploadedFile, 'name'>> {
    const path = join(tmpdir(), `orchestrate-upload-${randomUUID()}`);
    const handle = await open(path, 'wx+', 0o600);
    this.#laidAside = handle;
    // Unlink the file while it is open, so that the system deletes it when this process ends, even after a crash.
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
    // Wait for the rest of the request, because simple clients read the response only after sending everything. The
    // connection can then be reused.
    if (!this.isFarTooLarge) await finished(raw, { writable: false }).catch(() => {});
  }
}

/** Returns the next field or file of a form. Maps parser errors to refusals. */
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
