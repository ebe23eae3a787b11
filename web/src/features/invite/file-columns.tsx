import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { CSV_FIELDS, type CsvColumn, type CsvEncoding, type CsvField } from '@orchestrate/shared';
import { TriangleAlert } from 'lucide-react';
import { capitalized } from '../../lib/format/capitalized.ts';
import { usePrimaryAttribute } from '../../members/use-primary-attribute.ts';
import { Select } from '../../ui/select.tsx';
import { hasAddresses, withField } from './use-file-check.ts';

const WORDS: Record<Exclude<CsvField, 'primaryAttr'>, string> = {
  email: t`Email`,
  firstName: t`First Name`,
  lastName: t`Last Name`,
};

const NO_ADDRESSES = t`Choose the column that holds the email addresses`;

const READ_AS: Record<Exclude<CsvEncoding, 'utf-8'>, string> = {
  'windows-1252': t`This file is not UTF-8 and was read as Windows-1252. Check whether the names are right.`,
  'utf-16': t`This file was read as UTF-16.`,
};

interface FileColumnsProps {
  columns: CsvColumn[];
  encoding: CsvEncoding;
  onChoose: (columns: (CsvField | '')[]) => void;
}

/** What each column of the file was taken for; another choice is made by hand. */
export function FileColumns({ columns, encoding, onChoose }: FileColumnsProps) {
  const words: Record<CsvField, string> = { ...WORDS, primaryAttr: capitalized(usePrimaryAttribute()) };
  return (
    <chakra.fieldset borderWidth="1px" borderRadius="l2" minW="0">
      <chakra.legend srOnly>{t`Columns`}</chakra.legend>
      <Text aria-hidden px="3.5" py="2.5" textStyle="sm" fontWeight="medium">
        {t`Columns`}
      </Text>
      {!hasAddresses({ columns }) && (
        <Flex role="alert" gap="1.5" align="center" px="3.5" pb="2.5" textStyle="sm" color="fg.error">
          <TriangleAlert size={14} aria-hidden />
          {NO_ADDRESSES}
        </Flex>
      )}
      {encoding !== 'utf-8' && (
        <Text px="3.5" pb="2.5" textStyle="xs" color="fg.muted">
          {READ_AS[encoding]}
        </Text>
      )}
      <Box maxH="56" overflowY="auto" borderTopWidth="1px" py="1.5">
        {columns.map(({ header, sample, field }, at) => {
          const name = header || t`Column ${at + 1}`;
          return (
            <Flex as="label" key={at} align="center" gap="3" px="3.5" py="1">
              <Box flex="1" minW="0">
                <Text textStyle="sm" truncate title={name}>
                  {name}
                </Text>
                {sample && (
                  <Text textStyle="xs" color="fg.muted" truncate title={sample}>
                    {sample}
                  </Text>
                )}
              </Box>
              <Select
                width={{ base: '36', xs: '44' }}
                size="sm"
                aria-label={t`Column ${name}`}
                value={field ?? ''}
                onChange={({ target }) =>
                  onChoose(withField(columns, at, CSV_FIELDS.find((known) => known === target.value) ?? ''))
                }
              >
                <option value="">{t`Left out`}</option>
                {CSV_FIELDS.map((known) => (
                  <option key={known} value={known}>
                    {words[known]}
                  </option>
                ))}
              </Select>
            </Flex>
          );
        })}
      </Box>
    </chakra.fieldset>
  );
}
