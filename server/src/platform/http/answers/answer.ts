import type { EndpointDefinition, FieldsOf, NewsFieldsOf, ResultName } from '@orchestrate/shared';
import { Refusal } from '../../refusal.ts';

type NewsOf<D extends EndpointDefinition> = D extends { news: readonly (infer Name extends ResultName)[] }
  ? News<Name, NewsFieldsOf<D>>
  : never;

/** The return value of a handler: the fields of the reply without the envelope, news, a redirect or a document. */
export type Answer<D extends EndpointDefinition> = D extends { document: string | readonly string[] }
  ? Document | Download
  : FieldsOf<D> | NewsOf<D> | Redirect;

/** A success whose result is above 0: one of the entry's `news`. */
export class News<Name extends ResultName, Fields> {
  readonly result: Name;
  readonly fields: Fields;

  constructor(result: Name, fields: Fields) {
    this.result = result;
    this.fields = fields;
  }
}

/** Returns a reply with one of the entry's `news`. @param fields of the reply, without the envelope */
export function news<const Name extends ResultName, Fields>(result: Name, fields: Fields): News<Name, Fields> {
  return new News(result, fields);
}

/** A redirect of a browser. */
export class Redirect {
  readonly location: string;

  constructor(location: string) {
    this.location = location;
  }
}

/** Redirects a browser to a page of the portal. */
export function redirect(location: `/${string}`): Redirect {
  return new Redirect(location);
}

/** Redirects a browser to another site. Only for addresses that an administrator has configured. */
export function redirectOutside(address: URL): Redirect {
  return new Redirect(address.href);
}

/** A successful response with the entry's `document` type instead of JSON. */
export class Document {
  readonly text: string;
  /** Name under which a browser saves it instead of displaying it. */
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
export const notFound = (): Refusal =>
  new Refusal('ID_DOESNOT_EXIST', { message: 'The requested URL was not found on this server' });
