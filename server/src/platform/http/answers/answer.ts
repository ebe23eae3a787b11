import type { EndpointDefinition, FieldsOf, NewsFieldsOf, ResultName } from '@orchestrate/shared';
import { Refusal } from '../../refusal.ts';

type NewsOf<D extends EndpointDefinition> = D extends { news: readonly (infer Name extends ResultName)[] }
  ? NamedSuccess<Name, NewsFieldsOf<D>>
  : never;

/**
 * Return value of a handler: the reply fields without the envelope, a success with its own result, a redirect or a
 * document.
 */
export type Answer<D extends EndpointDefinition> = D extends { document: string | readonly string[] }
  ? Document | Download
  : FieldsOf<D> | NewsOf<D> | Redirect;

/** A success with a named result instead of the default result 0. The contract entry's `news` declares the result. */
export class NamedSuccess<Name extends ResultName, Fields> {
  readonly result: Name;
  readonly fields: Fields;

  constructor(result: Name, fields: Fields) {
    this.result = result;
    this.fields = fields;
  }
}

/**
 * Returns a success with one of the results in the contract entry's `news`. @param fields reply fields without the
 * envelope
 */
export function successWith<const Name extends ResultName, Fields>(
  result: Name,
  fields: Fields,
): NamedSuccess<Name, Fields> {
  return new NamedSuccess(result, fields);
}

/** A browser redirect. */
export class Redirect {
  readonly location: string;

  constructor(location: string) {
    this.location = location;
  }
}

/** Redirects a browser to a portal page. */
export function redirect(location: `/${string}`): Redirect {
  return new Redirect(location);
}

/** Redirects a browser to another site. Use it only for URLs that an administrator has configured. */
export function redirectOutside(address: URL): Redirect {
  return new Redirect(address.href);
}

/** A successful response in the contract entry's `document` type instead of JSON. */
export class Document {
  readonly text: string;
  /** File name under which browsers save the document; undefined to display the document. */
  readonly fileName: string | undefined;

  constructor(text: string, fileName?: string) {
    this.text = text;
    this.fileName = fileName;
  }
}

/** A streamed document of any length and type. */
export class Download {
  readonly chunks: Iterable<string>;
  readonly type: string;
  readonly fileName: string;

  constructor(chunks: Iterable<string>, { type, fileName }: { type: string; fileName: string }) {
    this.chunks = chunks;
    this.type = type;
    this.fileName = fileName;
  }
}

/** Returns the refusal for an unknown path. */
export const notFoundRefusal = (): Refusal =>
  new Refusal('ID_DOESNOT_EXIST', { message: 'The requested URL was not found on this server' });
