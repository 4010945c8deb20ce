/** A server in a process of its own, and the library that VS Code speaks with at the other end of the pipe. */

import { spawn, type ChildProcess } from "node:child_process";

import {
  StreamMessageReader,
  StreamMessageWriter,
  createProtocolConnection,
  type ClientCapabilities,
  type InitializeResult,
  type ProtocolConnection,
} from "vscode-languageserver-protocol/node";

/** The interpreter with grpo-lint in it; tests that need one are skipped without. */
export const PYTHON = process.env.GRPO_LINT_PYTHON;
export const OURS = [PYTHON ?? "python3", "-m", "grpo_lint", "server"];

export class Server {
  readonly process: ChildProcess;
  readonly connection: ProtocolConnection;
  readonly ended: Promise<number | null>;

  constructor(command: readonly string[]) {
    const [program, ...words] = command;
    const started = spawn(program!, words, { stdio: ["pipe", "pipe", "inherit"] });
    this.process = started;
    this.ended = new Promise((resolve) => started.on("exit", resolve));
    this.connection = createProtocolConnection(new StreamMessageReader(started.stdout), new StreamMessageWriter(started.stdin));
    this.connection.listen();
  }

  /** The greeting; handlers of what the server may ask have to be there before. */
  async greet(capabilities: ClientCapabilities, more: object = {}): Promise<InitializeResult> {
    const params = { processId: process.pid, rootUri: null, capabilities, ...more };
    const answer = await this.connection.sendRequest<InitializeResult>("initialize", params);
    await this.connection.sendNotification("initialized", {});
    return answer;
  }

  /** The exit status of a server that is told to go. */
  async leave(): Promise<number | null> {
    await this.connection.sendRequest("shutdown");
    await this.connection.sendNotification("exit");
    return this.ended;
  }
}
