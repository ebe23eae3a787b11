import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The parts of xmllint-wasm that we use. */
interface XmlLint {
  validateXML(options: {
    xml: SchemaFile[];
    schema: SchemaFile[];
    preload: SchemaFile[];
  }): Promise<{ valid: boolean; errors: readonly { message: string }[] }>;
}

interface SchemaFile {
  fileName: string;
  contents: string;
}

const PROTOCOL = 'saml-schema-protocol-2.0.xsd';
const IMPORTED = [
  ...['saml-schema-assertion-2.0.xsd', 'xmldsig-core-schema.xsd', 'xenc-schema.xsd'],
  ...['XMLSchema.dtd', 'datatypes.dtd'],
];

/** The errors xmllint finds in a message by the OASIS schemas. Loaded on first use. */
export async function schemaErrors(xml: string): Promise<string[]> {
  const load = createRequire(import.meta.url);
  const { validateXML }: XmlLint = load('xmllint-wasm');
  const folder = join(dirname(load.resolve('@authenio/samlify-xmllint-wasm')), 'schemas');
  const read = async (fileName: string): Promise<SchemaFile> => ({
    fileName,
    contents: await readFile(join(folder, fileName), 'utf8'),
  });
  const [schema, preload] = [[await read(PROTOCOL)], await Promise.all(IMPORTED.map(read))];
  const { valid, errors } = await validateXML({ xml: [{ fileName: 'message.xml', contents: xml }], schema, preload });
  return valid ? [] : errors.map(({ message }) => message);
}
