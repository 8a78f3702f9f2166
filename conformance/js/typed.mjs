// Typed JSON: read strictly, checked, and written as RFC 8785 has it.
// A tree holds null, booleans, numbers, strings, arrays and Maps (objects, names as written).

export class Refusal extends Error {
  constructor(word) {
    super(word);
    this.word = word;
  }
}

export const refuse = (word) => {
  throw new Refusal(word);
};

const DEPTH = 64;
const DIGITS = 4300;
const BYTES = 4 * 1024 * 1024;
const NODES = 100_000;

// A number as it was written, until it is known what it is read for.
class Written {
  constructor(text) {
    this.text = text;
    this.isWhole = /^-?[0-9]+$/.test(text);
  }
}

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
    this.nodes = 0;
  }

  document() {
    const value = this.value(0);
    this.space();
    if (this.at < this.text.length) refuse("json");
    return value;
  }

  space() {
    while (" \t\n\r".includes(this.text[this.at] ?? "x")) this.at += 1;
  }

  take(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) refuse("json");
    this.at = pattern.lastIndex;
    return found[0];
  }

  value(depth) {
    this.space();
    if (++this.nodes > NODES) refuse("json");
    const first = this.text[this.at];
    if (first === "{") return this.object(depth + 1);
    if (first === "[") return this.array(depth + 1);
    if (first === '"') return this.string();
    if (first === "t" || first === "f" || first === "n") {
      return { true: true, false: false, null: null }[this.take(/true|false|null/y)];
    }
    const text = this.take(/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y);
    const number = new Written(text);
    const size = number.isWhole ? text.replace("-", "").length : text.length;
    if (size > DIGITS) refuse("json");
    if (!number.isWhole) double(text);
    return number;
  }

  string() {
    const raw = this.take(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y);
    const text = JSON.parse(raw);
    if (!text.isWellFormed()) refuse("json");
    return text;
  }

  array(depth) {
    if (depth > DEPTH) refuse("json");
    const items = [];
    this.at += 1;
    this.space();
    if (this.text[this.at] === "]") {
      this.at += 1;
      return items;
    }
    for (;;) {
      items.push(this.value(depth));
      this.space();
      if (this.take(/[,\]]/y) === "]") return items;
    }
  }

  object(depth) {
    if (depth > DEPTH) refuse("json");
    const members = new Map();
    this.at += 1;
    this.space();
    if (this.text[this.at] === "}") {
      this.at += 1;
      return members;
    }
    for (;;) {
      this.space();
      const name = this.string();
      if (members.has(name)) refuse("json");
      this.space();
      this.take(/:/y);
      members.set(name, this.value(depth));
      this.space();
      if (this.take(/[,}]/y) === "}") return members;
    }
  }
}

function double(text) {
  const value = Number(text);
  if (!Number.isFinite(value)) refuse("json");
  if (value === 0 && /[1-9]/.test(text.split(/[eE]/)[0])) refuse("json");
  return value === 0 ? 0 : value;
}

export function readStrictly(text) {
  if (!text.isWellFormed() || text.startsWith("\ufeff")) refuse("json");
  if (Buffer.byteLength(text) > BYTES) refuse("json");
  return new Reader(text).document();
}

// The digits of a double's shortest form, without an exponent.
export function digitsOf(value) {
  const [mantissa, exponent = "0"] = String(Math.abs(value)).split("e");
  const [whole, part = ""] = mantissa.split(".");
  const point = whole.length + Number(exponent);
  const all = whole + part;
  const left = point > 0 ? all.slice(0, point).padEnd(point, "0") : "0";
  const right = point > 0 ? all.slice(point) : "0".repeat(-point) + all;
  const rest = right.replace(/0+$/, "");
  const sign = value < 0 ? "-" : "";
  return sign + left.replace(/^0+(?=[0-9])/, "") + (rest ? "." + rest : "");
}

function wholeNumber(digits) {
  const exact = BigInt(digits);
  const near = Number(exact);
  if (Number.isFinite(near) && BigInt(digitsOf(near)) === exact) return near;
  return new Map([["$int", exact.toString()]]);
}

function numberOf(written) {
  return written.isWhole ? wholeNumber(written.text) : double(written.text);
}

function marked(written, strict) {
  const value = numberOf(written);
  const isFloat = strict && !written.isWhole && Number.isInteger(value);
  return isFloat ? new Map([["$float", value]]) : value;
}

// Plain JSON as typed JSON: names get their dollar sign, numbers their tag.
export function typedOfPlain(tree, strict) {
  if (tree instanceof Written) return marked(tree, strict);
  if (Array.isArray(tree)) return tree.map((item) => typedOfPlain(item, strict));
  if (!(tree instanceof Map)) return tree;
  const made = new Map();
  for (const [name, item] of tree) {
    made.set(name.startsWith("$") ? "$" + name : name, typedOfPlain(item, strict));
  }
  return made;
}

// A literal in the text of a field: numbers as in plain JSON, names as they stand.
export function typedOfLiteral(tree, strict) {
  if (tree instanceof Written) return marked(tree, strict);
  if (Array.isArray(tree)) return tree.map((item) => typedOfLiteral(item, strict));
  if (!(tree instanceof Map)) return tree;
  return new Map([...tree].map(([name, item]) => [name, typedOfLiteral(item, strict)]));
}

// The tag of a tagged value; undefined for all else.
export function tagOf(tree) {
  if (!(tree instanceof Map)) return undefined;
  const tags = [...tree.keys()].filter((name) => /^\$(?!\$)/.test(name));
  if (tags.length && tree.size > 1) refuse("value");
  return tags[0];
}

export function checkTyped(tree) {
  if (tree instanceof Written) {
    const value = numberOf(tree);
    return typeof value === "number" ? value : refuse("value");
  }
  if (Array.isArray(tree)) return tree.map(checkTyped);
  if (!(tree instanceof Map)) return tree;
  const tag = tagOf(tree);
  if (tag === undefined) return new Map([...tree].map(([name, item]) => [name, checkTyped(item)]));
  const inner = tree.get(tag);
  if (!TAGS[tag]) refuse("value");
  return new Map([[tag, TAGS[tag](inner) ?? inner]]);
}

const need = (holds) => (holds ? undefined : refuse("value"));
const fits = (text, pattern) => typeof text === "string" && pattern.test(text);
const digitCount = (text) => text.replace(/[-.]/g, "").length;

const TAGS = {
  $int: (text) =>
    need(
      fits(text, /^-?[1-9][0-9]*$/) &&
        digitCount(text) <= DIGITS &&
        typeof wholeNumber(text) !== "number",
    ),
  $decimal: (text) =>
    need(
      fits(text, /^-?(?:0|[1-9][0-9]*)\.[0-9]*[1-9]$/) &&
        digitCount(text) <= DIGITS &&
        !(Number.isFinite(Number(text)) && digitsOf(Number(text)) === text),
    ),
  $datetime: (text) => need(typeof text === "string" && instant(text) === text),
  $date: (text) => need(fits(text, /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/) && dayNumber(text) !== null),
  $bytes: (text) =>
    need(typeof text === "string" && Buffer.from(text, "base64").toString("base64") === text),
  $uuid: (text) => need(fits(text, /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)),
  $float: (inner) => {
    const checked = checkTyped(inner);
    need(Number.isInteger(checked) || tagOf(checked) === "$int");
    return checked;
  },
  $result: (pair) => {
    const checked = checkTyped(pair);
    need(Array.isArray(checked) && checked.length === 2);
    need(Number.isInteger(checked[0]) && checked[0] > 0 && typeof checked[1] === "string");
    return checked;
  },
};

// Days since 1970-01-01 of a calendar day from year 1 to 9999, or null.
function dayNumber(text) {
  const [year, month, day] = text.split("-").map(Number);
  if (year < 1) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const same =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return same ? date.getTime() / 86_400_000 : null;
}

// An RFC 3339 time in UTC with all digits of its fraction that count, or null.
export function instant(text) {
  const found =
    /^([0-9]{4}-[0-9]{2}-[0-9]{2})T([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9])(?:\.([0-9]+))?(?:Z|([+-])([01][0-9]|2[0-3]):([0-5][0-9]))$/.exec(
      text,
    );
  if (!found) return null;
  const days = dayNumber(found[1]);
  if (days === null) return null;
  const offset = found[6] ? (Number(found[7]) * 60 + Number(found[8])) * 60 : 0;
  let seconds = days * 86400 + Number(found[2]) * 3600 + Number(found[3]) * 60 + Number(found[4]);
  seconds += found[6] === "+" ? -offset : offset;
  const date = new Date(seconds * 1000);
  const year = date.getUTCFullYear();
  if (year < 1 || year > 9999) return null;
  const pad = (number, width = 2) => String(number).padStart(width, "0");
  const day = `${pad(year, 4)}-${pad(date.getUTCMonth() + 1)}-${pad(date.getUTCDate())}`;
  const time = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()];
  const fraction = (found[5] ?? "").replace(/0+$/, "");
  return `${day}T${time.map((n) => pad(n)).join(":")}${fraction ? "." + fraction : ""}Z`;
}

// RFC 8785 of typed JSON.
export function encode(tree) {
  if (tree instanceof Map) {
    const names = [...tree.keys()].sort((a, b) => (a < b ? -1 : 1)); // by UTF-16 code units
    return "{" + names.map((n) => JSON.stringify(n) + ":" + encode(tree.get(n))).join(",") + "}";
  }
  if (Array.isArray(tree)) return "[" + tree.map(encode).join(",") + "]";
  return JSON.stringify(tree);
}

export const byBytes = (one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other));

export const sortedByBytes = (trees) =>
  trees
    .map((tree) => [encode(tree), tree])
    .sort((a, b) => byBytes(a[0], b[0]))
    .map((pair) => pair[1]);

export const readTyped = (text) => checkTyped(readStrictly(text));

// A number of typed JSON as numerator and denominator, or null for what is no number.
export function ratio(tree) {
  const tag = tagOf(tree);
  if (tag === "$float") return ratio(tree.get(tag));
  const isNumber = typeof tree === "number" || tag === "$int" || tag === "$decimal";
  if (!isNumber) return null;
  const [whole, part = ""] = (tag ? tree.get(tag) : digitsOf(tree)).split(".");
  return [BigInt(whole + part), 10n ** BigInt(part.length)];
}

export const compareRatios = ([a, b], [c, d]) => (a * d < c * b ? -1 : a * d > c * b ? 1 : 0);
