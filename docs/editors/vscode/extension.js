// Starts `ferz lsp` for Ferz scripts, and runs the commands of its code lenses in a terminal.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function settings() {
  const chosen = vscode.workspace.getConfiguration("ferz");
  const include = chosen.get("include").flatMap((folder) => ["-I", folder]);
  return { path: chosen.get("path"), include };
}

async function start() {
  const { path, include } = settings();
  client = new LanguageClient(
    "ferz",
    "Ferz",
    { command: path, args: ["lsp", ...include] },
    {
      documentSelector: [{ language: "ferz" }],
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.game") },
    }
  );
  await client.start();
}

// Runs ferz with the arguments of a lens.
function run(word) {
  return async (uri, words) => {
    const { path, include } = settings();
    await vscode.workspace.saveAll(false);
    const file = vscode.Uri.parse(uri).fsPath;
    const task = new vscode.Task(
      { type: "process" },
      vscode.TaskScope.Workspace,
      `ferz ${word}`,
      "Ferz",
      new vscode.ProcessExecution(path, [word, ...include, file, ...words])
    );
    task.presentationOptions = { focus: word === "play", clear: true };
    return vscode.tasks.executeTask(task);
  };
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("ferz.runTest", run("test")),
    vscode.commands.registerCommand("ferz.play", run("play")),
    vscode.commands.registerCommand("ferz.restart", async () => {
      await client?.stop();
      await start();
    })
  );
  await start();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
