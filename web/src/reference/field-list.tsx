import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { JsonSchema, Parameter } from './documents.ts';
import { constraintsText, objectSchemasOf, resolveSchema, type Schemas, typeText } from './schema-text.ts';
import { ContractSentence } from './worded.tsx';

/** Maximum depth of expanded objects. Deeper objects are shown only by name. */
const DEPTH_MAX = 5;
/** Maximum length of a displayed type. Longer lists of values are collapsed. */
const TYPE_MAX_LENGTH = 300;

/** The fields of an object, or of each object in a union. */
export function FieldList({ schema, schemas, depth = 0 }: { schema: JsonSchema; schemas: Schemas; depth?: number }) {
  const objects = objectSchemasOf(schema, schemas);
  if (objects.length === 0) {
    return (
      <Text px="5" py="3" textStyle="code" fontSize="sm">
        {typeText(resolveSchema(schema, schemas))}
      </Text>
    );
  }
  return objects.map((object, index) => (
    // The index is a safe key, because a union's variants never change their order.
    <Box key={`${index} ${Object.keys(object.properties ?? {}).join()}`}>
      {index > 0 && (
        <Text px="5" py="2" textStyle="xs" fontWeight="semibold" color="fg.muted" borderTopWidth="1px" bg="bg.subtle">
          {t`or`}
        </Text>
      )}
      <Rows>
        {Object.entries(object.properties ?? {}).map(([name, field]) => (
          <Field
            key={name}
            name={name}
            schema={field}
            schemas={schemas}
            isRequired={object.required?.includes(name) ?? false}
            depth={depth}
          />
        ))}
      </Rows>
    </Box>
  ));
}

/** Path, query and header parameters. */
export const ParameterList = ({ parameters, schemas }: { parameters: readonly Parameter[]; schemas: Schemas }) => (
  <Rows>
    {parameters.map(({ name, in: where, required, description, schema }) => (
      <Field
        key={`${where} ${name}`}
        name={name}
        where={where}
        schema={description === undefined ? schema : { ...schema, description }}
        schemas={schemas}
        isRequired={required}
        depth={0}
      />
    ))}
  </Rows>
);

const Rows = ({ children }: { children: React.ReactNode }) => (
  <chakra.ul listStyleType="none" css={{ '& > li + li': { borderTopWidth: '1px' } }}>
    {children}
  </chakra.ul>
);

interface FieldProps {
  name: string;
  where?: string;
  schema: JsonSchema;
  schemas: Schemas;
  isRequired: boolean;
  depth: number;
}

function Field({ name, where, schema, schemas, isRequired, depth }: FieldProps) {
  const whole = resolveSchema(schema, schemas);
  const inner = depth < DEPTH_MAX ? objectSchemasOf(schema, schemas) : [];
  const type = typeText(whole.enum && !schema.enum ? whole : schema);
  const isTypeLong = type.length > TYPE_MAX_LENGTH;
  const rules = constraintsText(whole);
  const description = schema.description ?? whole.description;
  return (
    <chakra.li px="5" py="2.5">
      <Flex gap="3" align="baseline" wrap="wrap">
        <chakra.code textStyle="code" fontSize="sm" fontWeight="semibold" overflowWrap="anywhere">
          {name}
        </chakra.code>
        <Text as="span" textStyle="code" fontSize="xs" color="fg.muted" overflowWrap="anywhere" minW="0">
          {isTypeLong ? t`one of many values` : type}
        </Text>
        {where && (
          <Text as="span" textStyle="xs" color="fg.muted">
            {t`in ${where}`}
          </Text>
        )}
        <Text as="span" textStyle="xs" color={isRequired ? 'fg' : 'fg.muted'}>
          {isRequired ? t`required` : t`optional`}
        </Text>
      </Flex>
      {(description || rules) && (
        <Text textStyle="sm" color="fg.muted" mt="1">
          {description && <ContractSentence text={description} />}
          {description && rules && ' '}
          {rules}
        </Text>
      )}
      {isTypeLong && (
        <Folded title={t`Values of ${name}`}>
          <Text textStyle="code" fontSize="xs" color="fg.muted" overflowWrap="anywhere">
            {type}
          </Text>
        </Folded>
      )}
      {inner.length > 0 && (
        <Folded title={t`Fields of ${name}`}>
          <Box borderWidth="1px" borderRadius="l2">
            <FieldList schema={schema} schemas={schemas} depth={depth + 1} />
          </Box>
        </Folded>
      )}
    </chakra.li>
  );
}

const Folded = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <chakra.details mt="2">
    <chakra.summary
      textStyle="xs"
      color="fg.muted"
      cursor="pointer"
      w="fit-content"
      borderRadius="l1"
      focusVisibleRing="outside"
    >
      {title}
    </chakra.summary>
    <Box mt="2">{children}</Box>
  </chakra.details>
);
