// The text of a field: read to selector, rule and flags, and printed again.

import { readSelector } from "./jsonpath.mjs";
import {
  checkTyped,
  digitsOf,
  encode,
  byBytes,
  instant,
  ratio,
  readStrictly,
  refuse,
  sortedByBytes,
  tagOf,
  typedOfLiteral,
} from "./typed.mjs";

const OPERATORS = new Map([
  ["==", "equals"],
  [">=", "at_least"],
  ["<=", "at_most"],
  ["in", "one_of"],
  ["within", "within"],
]);
const NUMERIC = ["at_least", "at_most", "within"];
const MARKS = ["nfc", "unordered", "strict", "instant", "absent_is_null"];
const WORDS = ["optional", "secret", ...MARKS];

// The characters that count as space at the ends of a text.
const EDGE =
  "[\\u0009-\\u000d\\u001c-\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const OUTER_SPACE = new RegExp(`^${EDGE}|${EDGE}$`);

export function parseField(text) {
  try {
    return parsed(text);
  } catch (error) {
    if (error.word === undefined) throw error;
    return refuse("field");
  }
}

function parsed(text) {
  const [body, words] = splitWords(text);
  const operators = operatorsIn(body);
  const optional = words.includes("optional");
  const secret = words.includes("secret");
  const marks = MARKS.filter((mark) => words.includes(mark));
  if (!operators.length) {
    const read = readSelector(selectorOf(body));
    return made(read, ruleOf(read, marks, "", null, secret), optional, secret);
  }
  const [at, symbol] = operators.at(-1);
  const read = readSelector(selectorOf(body.slice(0, at)));
  const literal = body.slice(at + symbol.length + 2);
  const operand = operandOf(symbol, literal, marks.includes("strict"));
  return made(read, ruleOf(read, marks, OPERATORS.get(symbol), operand, secret), optional, secret);
}

function made(read, rule, optional, secret) {
  return { ...read, rule, optional, secret };
}

function splitWords(text) {
  if (!text.endsWith(")")) return [text, []];
  const found = / \(([a-z_]+(?:, [a-z_]+)*)\)$/.exec(text);
  if (!found) refuse("field");
  const words = found[1].split(", ");
  if (new Set(words).size < words.length) refuse("field");
  if (!words.every((word) => WORDS.includes(word))) refuse("field");
  return [text.slice(0, found.index), words];
}

// The places outside of quotes and brackets.
function outside(text) {
  const places = [];
  const open = [];
  const partner = { "]": "[", ")": "(", "}": "{" };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (!open.length && !(sign in partner)) places.push(at);
    if (sign === '"' || sign === "'") {
      for (at += 1; text[at] !== sign; at += text[at] === "\\" ? 2 : 1) {
        if (at >= text.length) refuse("field");
      }
    } else if ("[({".includes(sign)) {
      open.push(sign);
    } else if (sign in partner && open.pop() !== partner[sign]) {
      refuse("field");
    }
  }
  return open.length ? refuse("field") : places;
}

function operatorsIn(text) {
  const found = [];
  for (const at of outside(text)) {
    if (text[at] !== " ") continue;
    const end = text.indexOf(" ", at + 1);
    const word = text.slice(at + 1, end < 0 ? undefined : end);
    if (OPERATORS.has(word)) found.push([at, word]);
  }
  return found;
}

function selectorOf(text) {
  if (text.startsWith("$")) return text === "$" ? "" : text;
  let name = text;
  if (text.startsWith('"')) {
    name = readStrictly(text);
    if (typeof name !== "string") refuse("field");
  } else if (needsQuotes(text)) {
    refuse("field");
  }
  return name.startsWith("/") ? name : "/" + name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function needsQuotes(text) {
  if (!text || OUTER_SPACE.test(text) || /[\u0000-\u001f=<>!{}[\]()"']/.test(text)) return true;
  return operatorsIn(text).length > 0;
}

function operandOf(symbol, literal, strict) {
  const isShare = symbol === "within" && literal.endsWith("%");
  const value = readLiteral(isShare ? literal.slice(0, -1) : literal, strict);
  return isShare ? new Map([["percent", value]]) : value;
}

function readLiteral(text, strict) {
  if (OUTER_SPACE.test(text)) refuse("field");
  const json = text.replace(
    /("(?:[^"\\]|\\[^])*")|'((?:[^'\\]|\\[^])*)'/g,
    (whole, double, single) => double ?? `"${single.replace(/\\[^]|"/g, doubled)}"`,
  );
  return typedOfLiteral(readStrictly(json), strict);
}

const doubled = (part) => ({ "\\'": "'", '"': '\\"' })[part] ?? part;

function ruleOf(read, marks, comparison, operand, secret) {
  const has = (mark) => marks.includes(mark);
  const clash = (one, other) => has(one) && has(other);
  if (marks.length && NUMERIC.includes(comparison)) refuse("field");
  if (clash("instant", "nfc") || clash("instant", "strict")) refuse("field");
  if (read.many) {
    if (has("absent_is_null") || (has("unordered") && comparison)) refuse("field");
  } else if (
    clash("instant", "unordered") ||
    clash("instant", "absent_is_null") ||
    clash("unordered", "absent_is_null")
  ) {
    refuse("field");
  }
  if (secret && comparison === "within") refuse("field");
  const rule = new Map(marks.map((mark) => [mark, true]));
  if (comparison) rule.set(comparison, operandIn(comparison, operand, read, has));
  return rule;
}

function operandIn(comparison, operand, read, has) {
  if (comparison === "equals") return operandValue(operand, read, has);
  if (comparison === "one_of") {
    if (!Array.isArray(operand) || !operand.length) refuse("field");
    const values = operand.map((each) => operandValue(each, read, has));
    const once = new Map(values.map((value) => [encode(value), value]));
    return sortedByBytes([...once.values()]);
  }
  if (comparison !== "within") return numberIn(operand);
  const isShare = operand instanceof Map && operand.size === 1 && operand.has("percent");
  return isShare ? new Map([["percent", distance(operand.get("percent"))]]) : distance(operand);
}

function numberIn(operand) {
  const checked = checkTyped(operand);
  if (ratio(checked) === null || tagOf(checked) === "$float") refuse("field");
  return checked;
}

function distance(operand) {
  const number = numberIn(operand);
  return ratio(number)[0] < 0n ? refuse("field") : number;
}

function operandValue(operand, read, has) {
  let value = checkTyped(operand);
  refuseTags(value, has("strict"));
  if (has("nfc")) value = formC(value);
  if (has("instant")) return momentOf(value) ?? refuse("field");
  if (has("unordered") && !read.many) {
    return Array.isArray(value) ? sortedByBytes(value) : refuse("field");
  }
  return value;
}

function refuseTags(tree, strict) {
  if (Array.isArray(tree)) tree.forEach((item) => refuseTags(item, strict));
  if (!(tree instanceof Map)) return;
  if (tree.has("$result") || (tree.has("$float") && !strict)) refuse("field");
  tree.forEach((item) => refuseTags(item, strict));
}

// All text and all names in Unicode form C.
export function formC(tree) {
  if (typeof tree === "string") return tree.normalize("NFC");
  if (Array.isArray(tree)) return tree.map(formC);
  if (!(tree instanceof Map)) return tree;
  const members = new Map([...tree].map(([name, item]) => [name.normalize("NFC"), formC(item)]));
  return members.size < tree.size ? refuse("value") : members;
}

// A text or a datetime as the instant that it names, or null.
export function momentOf(tree) {
  if (tagOf(tree) === "$datetime") return tree;
  const text = typeof tree === "string" ? instant(tree) : null;
  return text === null ? null : new Map([["$datetime", text]]);
}

export function printField(field) {
  let text = printSelector(field.selector);
  for (const [symbol, comparison] of OPERATORS) {
    if (!field.rule.has(comparison)) continue;
    const operand = field.rule.get(comparison);
    const isShare = comparison === "within" && operand instanceof Map && operand.has("percent");
    const shown = isShare ? printLiteral(operand.get("percent")) + "%" : printLiteral(operand);
    text += ` ${symbol} ${shown}`;
  }
  const words = WORDS.filter((word) => field[word] === true || field.rule.has(word));
  return words.length ? `${text} (${words.join(", ")})` : text;
}

function printSelector(selector) {
  if (!selector) return "$";
  if (selector.startsWith("$")) return selector;
  const name = selector.slice(1);
  if (/[/~]/.test(name)) return needsQuotes(selector) ? JSON.stringify(selector) : selector;
  return name.startsWith("$") || needsQuotes(name) ? JSON.stringify(name) : name;
}

function printLiteral(tree) {
  if (Array.isArray(tree)) return `[${tree.map(printLiteral).join(", ")}]`;
  if (tagOf(tree) === "$int") return tree.get("$int");
  if (tree instanceof Map) {
    const names = [...tree.keys()].sort(byBytes);
    const members = names.map((name) => `${JSON.stringify(name)}: ${printLiteral(tree.get(name))}`);
    return `{${members.join(", ")}}`;
  }
  return Number.isInteger(tree) ? digitsOf(tree) : encode(tree);
}
