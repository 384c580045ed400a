// What stands for the editor's assistants in tests: a model, the participant of the chat that is asked by
// default, and a command that calls a tool as a model does.
const vscode = require("vscode");

/** A model that says nothing: without one, the editor sends no request. */
const SILENT = {
	provideLanguageModelChatInformation: () => [
		{
			id: "silent",
			name: "Silent",
			family: "silent",
			version: "1",
			maxInputTokens: 1000,
			maxOutputTokens: 1000,
			isDefault: true,
			isUserSelectable: true,
			capabilities: { toolCalling: true },
		},
	],
	provideLanguageModelChatResponse: async () => undefined,
	provideTokenCount: async () => 1,
};

/** Calls a tool, given as JSON, and shows the text of its result in a new document. */
async function callTool() {
	const call = await vscode.window.showInputBox({
		prompt: "The call, as JSON",
	});
	const { name, input } = JSON.parse(call);
	const result = await vscode.lm.invokeTool(name, {
		input,
		toolInvocationToken: undefined,
	});
	const parts = result.content.map(({ value }) => value);
	const content = `Result of ${name}\n${parts.join("")}`;
	const document = await vscode.workspace.openTextDocument({ content });
	await vscode.window.showTextDocument(document);
}

exports.activate = (context) => {
	context.subscriptions.push(
		// Participants get the editor's own model where a person has chosen none.
		vscode.lm.registerLanguageModelChatProvider("copilot", SILENT),
		vscode.chat.createChatParticipant("assistant.default", async () => ({})),
		vscode.commands.registerCommand("assistant.callTool", callTool),
	);
};
