import { Editor, type NewWorkflow } from './editor.mts';

/** Acts as a person at the editor of n8n 1.x: sends the requests that differ from today's. */
export class OldEditor extends Editor {
	override async createWorkflow(workflow: NewWorkflow): Promise<string> {
		const inactive = { ...workflow, active: false };
		return await super.createWorkflow(inactive);
	}

	/** Activates a workflow; its triggers listen when n8n responds. */
	override async publish(id: string): Promise<void> {
		const path = `/rest/workflows/${id}`;
		const { versionId } = await this.ask<{ versionId: string }>('GET', path);
		await this.ask('PATCH', path, { active: true, versionId });
	}

	protected override async runBody(id: string, trigger: string): Promise<object> {
		const workflowData = await this.ask('GET', `/rest/workflows/${id}`);
		return { workflowData, ...(await super.runBody(id, trigger)) };
	}
}
