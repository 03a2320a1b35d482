// Reads a JSON array of [TeX, display] from standard input, writes an array of markup or null, in the same order.
// Text is only ever an argument of KaTeX: no link, no class, no image of an author's (trust), no macro that outlives its formula.
"use strict";
const katex = require(process.argv[2]);
const formulas = JSON.parse(require("fs").readFileSync(0, "utf8"));
const markup = formulas.map(([tex, displayMode]) => {
  try {
    return katex.renderToString(tex, {
      displayMode, output: "htmlAndMathml", throwOnError: true, trust: false, strict: "ignore", maxExpand: 500, maxSize: 20, globalGroup: false,
    });
  } catch {
    return null;
  }
});
process.stdout.write(JSON.stringify(markup));
