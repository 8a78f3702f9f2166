// Selectors: JSON Pointers (RFC 6901) and JSONPath (RFC 9535, without match and search).
// They run over values: what typed JSON stands for, with Tagged for its tagged values.

import {
  byBytes,
  checkTyped,
  compareRatios,
  encode,
  ratio,
  readStrictly,
  refuse,
  tagOf,
} from "./typed.mjs";

export class Tagged {
  constructor(tag, inner) {
    this.tag = tag;
    this.inner = inner;
  }
}

export const ABSENT = Symbol("absent");

export function valueOf(tree) {
  if (Array.isArray(tree)) return tree.map(valueOf);
  if (!(tree instanceof Map)) return tree;
  const tag = tagOf(tree);
  if (tag === "$result") refuse("value");
  if (tag !== undefined) return new Tagged(tag, tree.get(tag));
  return new Map([...tree].map(([name, item]) => [name.replace(/^\$/, ""), valueOf(item)]));
}

export function typedOf(value, strict) {
  if (value instanceof Tagged) {
    const isBare = value.tag === "$float" && !strict;
    return isBare ? value.inner : new Map([[value.tag, value.inner]]);
  }
  if (Array.isArray(value)) return value.map((item) => typedOf(item, strict));
  if (!(value instanceof Map)) return value;
  const escaped = (name) => (name.startsWith("$") ? "$" + name : name);
  return new Map([...value].map(([name, item]) => [escaped(name), typedOf(item, strict)]));
}

const LONGEST = 4096;
const FIRST = "A-Za-z_\\u0080-\\u{10FFFF}";
const NAME = new RegExp(`[${FIRST}][0-9${FIRST}]*`, "uy");
const SPACE = /[ \t\n\r]*/y;

// A selector, read: a pointer has names, a JSONPath segments; many says that it is a wildcard.
export function readSelector(selector) {
  if ([...selector].length > LONGEST) refuse("field");
  if (!selector.startsWith("$")) return { selector, names: pointerNames(selector), many: false };
  if (selector === "$") refuse("field");
  const path = new Path(selector);
  const segments = path.whole();
  return { selector, segments, many: !isSingular(segments) };
}

function pointerNames(pointer) {
  if (pointer && !pointer.startsWith("/")) refuse("field");
  if (/~(?![01])/.test(pointer)) refuse("field");
  return pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

const isSingular = (segments) =>
  segments.every(
    ({ deep, selectors }) =>
      !deep && selectors.length === 1 && ["name", "index"].includes(selectors[0].kind),
  );

class Path {
  constructor(text) {
    this.text = text;
    this.at = 1;
  }

  whole() {
    const segments = this.segments();
    if (this.at < this.text.length) refuse("field");
    return segments;
  }

  find(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found?.[0];
  }

  take(pattern) {
    return this.find(pattern) ?? refuse("field");
  }

  space() {
    this.find(SPACE);
  }

  segments() {
    const found = [];
    for (;;) {
      const before = this.at;
      this.space();
      const segment = this.segment();
      if (segment === null) {
        this.at = before;
        return found;
      }
      found.push(segment);
    }
  }

  segment() {
    const dots = this.find(/\.\.?/y) ?? "";
    const deep = dots === "..";
    if (dots !== "." && this.find(/\[/y)) return { deep, selectors: this.bracketed() };
    if (!dots) return null;
    if (this.find(/\*/y)) return { deep, selectors: [{ kind: "every" }] };
    return { deep, selectors: [{ kind: "name", name: this.take(NAME) }] };
  }

  bracketed() {
    const selectors = [];
    for (;;) {
      this.space();
      selectors.push(this.selector());
      this.space();
      if (this.take(/[,\]]/y) === "]") return selectors;
    }
  }

  selector() {
    const next = this.text[this.at];
    if (next === '"' || next === "'") return { kind: "name", name: this.string() };
    if (this.find(/\*/y)) return { kind: "every" };
    if (this.find(/\?/y)) {
      this.space();
      return { kind: "filter", test: this.or() };
    }
    const start = this.integer();
    const before = this.at;
    this.space();
    if (!this.find(/:/y)) {
      this.at = before;
      return start === undefined ? refuse("field") : { kind: "index", index: start };
    }
    this.space();
    const end = this.integer();
    this.space();
    if (!this.find(/:/y)) return { kind: "slice", start, end, step: 1 };
    this.space();
    return { kind: "slice", start, end, step: this.integer() ?? 1 };
  }

  integer() {
    const text = this.find(/0(?![0-9])|-?[1-9][0-9]*/y);
    if (text !== undefined && !Number.isSafeInteger(Number(text))) refuse("field");
    return text === undefined ? undefined : Number(text);
  }

  string() {
    const raw = this.take(/"(?:[^"\\\u0000-\u001f]|\\[^])*"|'(?:[^'\\\u0000-\u001f]|\\[^])*'/y);
    let inner = raw.slice(1, -1);
    if (raw[0] === "'") {
      if (/(?:^|[^\\])(?:\\\\)*\\"/.test(inner)) refuse("field");
      inner = inner.replace(/\\[^]|"/g, (part) => ({ "\\'": "'", '"': '\\"' })[part] ?? part);
    }
    try {
      return readStrictly(`"${inner}"`);
    } catch {
      return refuse("field");
    }
  }

  or() {
    return this.chain("||", /\|\|/y, () => this.chain("&&", /&&/y, () => this.basic()));
  }

  chain(kind, sign, next) {
    const parts = [next()];
    for (;;) {
      this.space();
      if (!this.find(sign)) return parts.length > 1 ? { kind, parts } : parts[0];
      this.space();
      parts.push(next());
    }
  }

  basic() {
    const isNot = this.find(/!/y) !== undefined;
    this.space();
    if (this.find(/\(/y)) {
      this.space();
      const inner = this.or();
      this.space();
      this.take(/\)/y);
      return isNot ? { kind: "not", inner } : inner;
    }
    const left = this.operand();
    const before = this.at;
    this.space();
    const sign = isNot ? undefined : this.find(/==|!=|<=|>=|<|>/y);
    if (sign === undefined) {
      this.at = before;
      if (left.kind !== "query") refuse("field");
      return isNot ? { kind: "not", inner: left } : left;
    }
    this.space();
    const right = this.operand();
    for (const side of [left, right]) {
      if (side.kind === "query" && !isSingular(side.segments)) refuse("field");
    }
    return { kind: "compare", sign, left, right };
  }

  operand() {
    const next = this.text[this.at];
    if (next === '"' || next === "'") return { kind: "literal", value: this.string() };
    const root = this.find(/[@$]/y);
    if (root) return { kind: "query", isRelative: root === "@", segments: this.segments() };
    const name = this.find(/[a-z][a-z_0-9]*/y);
    if (name === undefined) {
      const number = this.take(/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y);
      return { kind: "literal", value: checkTyped(readStrictly(number)) };
    }
    const constants = { true: true, false: false, null: null };
    if (name in constants) return { kind: "literal", value: constants[name] };
    return this.call(name);
  }

  call(name) {
    if (!["length", "count", "value"].includes(name)) refuse("field");
    this.take(/\(/y);
    this.space();
    const argument = this.operand();
    this.space();
    this.take(/\)/y);
    const isQuery = argument.kind === "query";
    if (name !== "length" && !isQuery) refuse("field");
    if (name === "length" && isQuery && !isSingular(argument.segments)) refuse("field");
    return { kind: "call", name, argument };
  }
}

// What a selector names: a value or ABSENT; for a wildcard, a list of {path, indices, value}.
export function select(read, record) {
  if (read.names) return read.names.reduce(pointed, record);
  const nodes = follow(read.segments, [{ value: record, at: [] }], record);
  if (!read.many) return nodes.length ? nodes[0].value : ABSENT;
  const once = new Map(nodes.map((node) => [JSON.stringify(node.at), node]));
  const matches = [...once.values()].map(({ value, at }) => ({
    path: at.map((token) => (typeof token === "number" ? null : token)),
    indices: at.filter((token) => typeof token === "number"),
    value,
  }));
  return matches.length ? inOrder(matches) : ABSENT;
}

export function inOrder(matches) {
  const byIndices = (a, b) => {
    const at = a.findIndex((index, place) => index !== b[place]);
    return at < 0 ? 0 : a[at] - b[at];
  };
  return matches.sort(
    (a, b) => byBytes(encode(a.path), encode(b.path)) || byIndices(a.indices, b.indices),
  );
}

function pointed(value, name) {
  if (value instanceof Map) return value.has(name) ? value.get(name) : ABSENT;
  if (Array.isArray(value) && /^(?:0|[1-9][0-9]{0,15})$/.test(name)) {
    return Number(name) < value.length ? value[Number(name)] : ABSENT;
  }
  return ABSENT;
}

function follow(segments, nodes, root) {
  for (const { deep, selectors } of segments) {
    const starts = deep ? nodes.flatMap(withAllBelow) : nodes;
    nodes = starts.flatMap((node) => selectors.flatMap((each) => chosen(each, node, root)));
  }
  return nodes;
}

function children({ value, at }) {
  if (Array.isArray(value)) return value.map((item, n) => ({ value: item, at: [...at, n] }));
  if (!(value instanceof Map)) return [];
  return [...value].map(([name, item]) => ({ value: item, at: [...at, name] }));
}

const withAllBelow = (node) => [node, ...children(node).flatMap(withAllBelow)];

function chosen(selector, node, root) {
  const { value, at } = node;
  switch (selector.kind) {
    case "every":
      return children(node);
    case "name":
      return value instanceof Map && value.has(selector.name)
        ? [{ value: value.get(selector.name), at: [...at, selector.name] }]
        : [];
    case "filter":
      return children(node).filter((child) => holds(selector.test, child, root));
    default: {
      if (!Array.isArray(value)) return [];
      const places = selector.kind === "index" ? indexed(selector, value) : sliced(selector, value);
      return places.map((n) => ({ value: value[n], at: [...at, n] }));
    }
  }
}

function indexed({ index }, { length }) {
  const place = index < 0 ? length + index : index;
  return place >= 0 && place < length ? [place] : [];
}

// RFC 9535, section 2.3.4.2.2.
function sliced({ start, end, step }, { length }) {
  if (step === 0) return [];
  const normal = (n) => (n >= 0 ? n : length + n);
  const clamp = (n, low, high) => Math.min(Math.max(n, low), high);
  const places = [];
  if (step > 0) {
    const upper = clamp(normal(end ?? length), 0, length);
    for (let n = clamp(normal(start ?? 0), 0, length); n < upper; n += step) places.push(n);
  } else {
    const lower = end === undefined ? -1 : clamp(normal(end), -1, length - 1);
    const first = clamp(normal(start ?? length - 1), -1, length - 1);
    for (let n = first; n > lower; n += step) places.push(n);
  }
  return places;
}

function holds(test, node, root) {
  switch (test.kind) {
    case "||":
      return test.parts.some((part) => holds(part, node, root));
    case "&&":
      return test.parts.every((part) => holds(part, node, root));
    case "not":
      return !holds(test.inner, node, root);
    case "query":
      return found(test, node, root).length > 0;
    default:
      return compared(test.sign, result(test.left, node, root), result(test.right, node, root));
  }
}

function found(query, node, root) {
  const start = query.isRelative ? node : { value: root, at: [] };
  return follow(query.segments, [start], root);
}

function result(operand, node, root) {
  if (operand.kind === "literal") return operand.value;
  if (operand.kind === "query") return first(found(operand, node, root));
  const { name, argument } = operand;
  if (name === "length") return size(result(argument, node, root));
  const nodes = found(argument, node, root);
  if (name === "count") return nodes.length;
  return nodes.length === 1 ? nodes[0].value : ABSENT;
}

const first = (nodes) => (nodes.length ? nodes[0].value : ABSENT);

function size(value) {
  if (typeof value === "string") return [...value].length;
  if (Array.isArray(value)) return value.length;
  return value instanceof Map ? value.size : ABSENT;
}

function compared(sign, left, right) {
  switch (sign) {
    case "==":
      return same(left, right);
    case "!=":
      return !same(left, right);
    case "<":
      return less(left, right);
    case ">":
      return less(right, left);
    case "<=":
      return less(left, right) || same(left, right);
    default:
      return less(right, left) || same(left, right);
  }
}

function same(left, right) {
  if (left === ABSENT || right === ABSENT) return left === right;
  return encode(typedOf(left, false)) === encode(typedOf(right, false));
}

function less(left, right) {
  if (typeof left === "string" && typeof right === "string") return byBytes(left, right) < 0;
  if (left === ABSENT || right === ABSENT) return false;
  const one = ratio(typedOf(left, false));
  const other = ratio(typedOf(right, false));
  return one !== null && other !== null && compareRatios(one, other) < 0;
}
