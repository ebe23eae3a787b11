import { Prng } from './prng.ts';

export interface FullName {
  firstName: string;
  lastName: string;
}

/** First and last names by culture. A colon precedes the Latin spelling if it can't be derived. */
const cultures: readonly (readonly [firstNames: string, lastNames: string])[] = [
  [
    'Olivia James Charlotte Henry Amelia Oliver Thomas Emily Samuel Harriet',
    'Bennett Walker Hughes Clarke Foster Brooks Hayes Palmer Reid Sutton',
  ],
  [
    'Łukasz Zofia Paweł Agnieszka Michał Katarzyna Wojciech Hanna Stanisław Jadwiga',
    'Wójcik Kowalska Zieliński Dąbrowska Kamiński Lewandowska Szymański Woźniak Jabłoński Piątek',
  ],
  [
    'Jürgen Annika Lukas Käthe Björn Sabine Matthias Heike Günther Franziska',
    'Müller Schäfer Weiß Vogel Krüger Baumann Köhler Lehmann Großmann Brandt',
  ],
  [
    'Zoë Émile Chloé Étienne Amélie Benoît Hélène Théo Océane Loïc',
    'Lefèvre Moreau Girard Dupont Chevalier Lemaître Roux Fournier Béranger Garçon',
  ],
  [
    'Sofía Joaquín Lucía Andrés Inés Álvaro Ximena Rubén Núria Íñigo',
    'García Núñez Ibáñez Domínguez Peña Vázquez Castaño Ortega Rivas Aguilar',
  ],
  [
    'Åsa Søren Ingrid Bjørn Astrid Jørgen Freya Håkan Linnéa Eirik',
    'Østergaard Hansen Sjöberg Nygård Ångström Dahl Holm Bergström Kjær Solberg',
  ],
  [
    'Ayşe Çağla Emre Gülşah Kerem Zeynep Oğuz Elif Yiğit İpek',
    'Yılmaz Demir Şahin Çelik Öztürk Aydın Kılıç Doğan Güneş Koç',
  ],
  [
    'Priya Arjun Ananya Rohan Kavya Vikram Meera Aditya Ishaan Divya',
    'Raghavan Iyer Sharma Patel Banerjee Nair Kapoor Deshpande Chatterjee Reddy',
  ],
  [
    'Layla Yusuf Noor Khalid Rania Tariq Salma Hamza Dina Ziad',
    'Haddad Khalil Mansour Nasser Farouk Saleh Qureshi Darwish Awad Rahman',
  ],
  [
    'Chidi Ngozi Kwame Abena Thabo Zanele Tendai Ifeoma Sipho Adaeze',
    'Okafor Okonkwo Mensah Dlamini Nkosi Eze Adeyemi Oyelaran Boateng Moyo',
  ],
  ['Linh Minh Thảo Quân Hương Đức Trang Bảo Ngọc Khánh', 'Nguyễn Trần Lê Phạm Hoàng Võ Đặng Bùi Đỗ Hồ'],
  [
    'Jiří Tereza Ondřej Kateřina Zsófia Gergő Ádám Eszter Vojtěch Réka',
    'Novák Svoboda Horváth Szabó Černý Nagy Kovács Procházka Tóth Veselý',
  ],
  [
    'João Beatriz Inácio Gonçalo Letícia Thiago Fátima Caetano Vitória Luís',
    'Silva Gonçalves Araújo Magalhães Leão Simões Azevedo Brandão Couto Antunes',
  ],
  [
    '太郎:Taro 花子:Hanako 健:Ken 美咲:Misaki 大輔:Daisuke 葵:Aoi 直樹:Naoki 由美:Yumi 翔:Sho 恵:Megumi',
    '鈴木:Suzuki 佐藤:Sato 高橋:Takahashi 渡辺:Watanabe 伊藤:Ito 山本:Yamamoto 中村:Nakamura 小林:Kobayashi 加藤:Kato 吉田:Yoshida',
  ],
  [
    'Оксана:Oksana Тарас:Taras Ірина:Iryna Богдан:Bohdan Олена:Olena Андрій:Andrii Наталя:Natalia Юрій:Yurii Софія:Sofiia Петро:Petro',
    'Шевченко:Shevchenko Коваленко:Kovalenko Бондаренко:Bondarenko Ткаченко:Tkachenko Кравчук:Kravchuk Мельник:Melnyk Поліщук:Polishchuk Савчук:Savchuk Руденко:Rudenko Мороз:Moroz',
  ],
];

/** Letters that Unicode doesn't decompose into a Latin letter and a diacritic. */
const LATIN: Record<string, string> = { ł: 'l', ø: 'o', ß: 'ss', æ: 'ae', đ: 'd', ı: 'i' };

function latin(name: string): string {
  const marked = name.toLowerCase().replace(/[łøßæđı]/g, (letter) => LATIN[letter] ?? letter);
  return marked.normalize('NFD').replace(/\p{M}/gu, '');
}

interface NamePart {
  name: string;
  mail: string;
}

function parse(list: string): NamePart[] {
  return list.split(' ').map((entry) => {
    const [name = '', spelling = name] = entry.split(':');
    return { name, mail: latin(spelling) };
  });
}

type Pair = readonly [first: NamePart, last: NamePart];

function pairs(firsts: string, lasts: string): Pair[] {
  const ends = parse(lasts);
  return parse(firsts).flatMap((first) => ends.map((last): Pair => [first, last]));
}

let parsed: readonly Pair[][] | undefined;
/** Returns all name pairs by culture, parsed on first use. */
function decks(): readonly Pair[][] {
  parsed ??= cultures.map(([firsts, lasts]) => pairs(firsts, lasts));
  return parsed;
}

/** Draws names without repeats. The name pairs are shuffled within each culture, and cultures take turns. */
export function drawNames(count: number, prng: Prng): (FullName & { mail: string })[] {
  const shuffled = decks().map((deck) => shuffle(deck, prng));
  return Array.from({ length: count }, (_, index) => {
    const drawn = shuffled[index % shuffled.length]?.[Math.floor(index / shuffled.length)];
    if (!drawn) throw new Error(`Not enough names for ${count} people`);
    return named(drawn);
  });
}

/** Draws a plausible name for one person. The same `seed` always yields the same name. */
export function drawName(seed: string): FullName & { mail: string } {
  const culture = new Prng(seed).below(cultures.length);
  const prng = new Prng(seed);
  // A world can have thousands of unnamed people, so find only the one name needed instead of shuffling every deck.
  for (const earlier of decks().slice(0, culture)) sortKeys(earlier, prng);
  const deck = decks()[culture] ?? [];
  const drawn = sortKeys(deck, prng);
  const pair = deck[drawn.indexOf(Math.min(...drawn))];
  return pair ? named(pair) : { firstName: 'Alex', lastName: 'Morgan', mail: 'alex.morgan' };
}

const named = ([first, last]: Pair): FullName & { mail: string } => ({
  firstName: first.name,
  lastName: last.name,
  mail: `${first.mail}.${last.mail}`,
});

/** Draws random sort keys, one per item. */
const sortKeys = (items: readonly unknown[], prng: Prng): number[] => items.map(() => prng.below(2 ** 31));

function shuffle<T>(items: readonly T[], prng: Prng): T[] {
  const drawn = sortKeys(items, prng);
  return items
    .map((item, index) => ({ item, place: drawn[index] ?? 0 }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
