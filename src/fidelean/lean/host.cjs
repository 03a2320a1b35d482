"use strict";
// Runs the prepared lean.js under Node. Arguments: the descriptor of the lifeline, the folder with lean.js and lean.wasm, the folder with the library, then Lean's own.
// Lean sees a file system in memory; of the host's disk only the library is in it. It has no work folder and no sockets.
const fs = require("fs");
const path = require("path");
const vm = require("vm");
const threads = require("worker_threads");

const [lifeline, room, library, ...leanArguments] = process.argv.slice(2);
const STACK_MB = 64;
const NOISE = /^(\[DEBUG:|  - \/lean\/|  mainModule\?)/;

// When whoever started this process is gone, the other end of the lifeline closes, and this process must not outlive it. Lean keeps the
// main thread busy, so a thread of its own watches.
new threads.Worker(
  `const parent = process.ppid;
   const leave = () => process.kill(process.pid, "SIGKILL");
   const socket = new (require("net").Socket)({ fd: ${Number(lifeline)}, readable: true, writable: false });
   socket.on("close", leave).on("error", leave).resume();
   setInterval(() => { if (process.ppid !== parent) leave(); }, 500);`,
  { eval: true, stdin: false },
).unref();

// Kernel computations recurse deeply, and a thread's stack is 4 MB unless asked for more.
const PlainWorker = threads.Worker;
threads.Worker = class extends PlainWorker {
  constructor(file, options) {
    super(file, { ...options, resourceLimits: { stackSizeMb: STACK_MB } });
  }
};

const script = path.join(room, "lean.js");
process.argv = [process.argv[0], "/lean/bin/lean"];
console.log = () => {};
globalThis.require = require;
globalThis.__filename = "/lean/bin/lean";
globalThis.__dirname = room;
globalThis.Module = {
  arguments: leanArguments,
  mainScriptUrlOrBlob: script,
  locateFile: (name) => path.join(room, name),
  stdin: nextByte,
  print: (line) => writeAll(1, line + "\n"),
  printErr: (line) => {
    if (line.includes("Reading file contents")) writeAll(2, "waiting for input\n");
    else if (!NOISE.test(line)) writeAll(2, line + "\n");
  },
  onExit: (code) => process.exit(code),
  preRun: [
    () => {
      const { FS, NODEFS, ENV } = globalThis.Module;
      for (const folder of ["/lean/bin", "/lean/lib/lean", "/work"]) FS.mkdirTree(folder);
      FS.writeFile("/lean/bin/lean", "");
      makeReadOnly(FS, NODEFS);
      FS.mount(NODEFS, { root: library }, "/lean/lib/lean");
      FS.chdir("/work");
      ENV.LEAN_PATH = "/lean/lib/lean";
      ENV.HOME = "/work";
    },
  ],
};

// Emscripten's own reader decodes standard input in blocks of 256 bytes, each by itself: a character that lies across two blocks is
// lost. Bytes pass unharmed.
let block = Buffer.alloc(0);
let taken = 0;
function nextByte() {
  if (taken === block.length) {
    const fresh = Buffer.alloc(65536);
    block = fresh.subarray(0, readSome(fresh));
    taken = 0;
    if (block.length === 0) return null;
  }
  return block[taken++];
}

function readSome(target) {
  for (;;) {
    try {
      return fs.readSync(0, target);
    } catch (error) {
      if (error.code === "EOF") return 0;
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

// Node would refuse to write as well, but in a way that the emulated file system takes for success.
function makeReadOnly(FS, NODEFS) {
  const EROFS = 69;
  const refuse = () => {
    throw new FS.ErrnoError(EROFS);
  };
  for (const name of ["mknod", "rename", "unlink", "rmdir", "symlink", "setattr"]) NODEFS.node_ops[name] = refuse;
  for (const name of ["write", "setattr"]) NODEFS.stream_ops[name] = refuse;
  const open = NODEFS.stream_ops.open;
  const WRITING = 0o3 | 0o100 | 0o1000; // write or read-write, create, truncate
  NODEFS.stream_ops.open = (stream) => ((stream.flags & WRITING) !== 0 ? refuse() : open(stream));
}

function writeAll(descriptor, text) {
  let bytes = Buffer.from(text);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(fs.writeSync(descriptor, bytes));
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

vm.runInThisContext(fs.readFileSync(script, "utf8"), { filename: script });
