-- what a user has in init.lua, for Neovim 0.7
local id = vim.lsp.start_client({ name = "grpo-lint", cmd = { vim.env.GRPO_LINT_PYTHON, "-m", "grpo_lint", "server" }, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(0, id)
local function wait(what, condition)
  if not vim.wait(20000, condition, 20) then print("TIMEOUT " .. what) end
end
local function say(label, value) io.stdout:write(label .. "\t" .. vim.fn.json_encode(value) .. "\n") end
wait("diagnostics", function() return #vim.diagnostic.get(0) > 0 end)
say("diagnostics", vim.tbl_map(function(d) return { d.lnum, d.col, d.source, d.code or (d.user_data and d.user_data.lsp and d.user_data.lsp.code) } end, vim.diagnostic.get(0)))
local client = vim.lsp.get_client_by_id(id)
vim.api.nvim_win_set_cursor(0, { 3, 2 })
local position = vim.lsp.util.make_position_params(0, client.offset_encoding)
say("hover", client.request_sync("textDocument/hover", position, 5000, 0).result.contents.value)
local params = vim.lsp.util.make_range_params(0, client.offset_encoding)
params.context = { diagnostics = vim.lsp.diagnostic.get_line_diagnostics(0, 2) }
local actions = client.request_sync("textDocument/codeAction", params, 5000, 0).result
say("actions", vim.tbl_map(function(a) return a.title end, actions))
local action = actions[1]
if not action.edit then action = client.request_sync("codeAction/resolve", action, 5000, 0).result end
vim.lsp.util.apply_workspace_edit(action.edit, client.offset_encoding)
say("buffer", vim.api.nvim_buf_get_lines(0, 0, -1, false))
wait("no diagnostics", function() return #vim.diagnostic.get(0) == 0 end)
say("after", #vim.diagnostic.get(0))
vim.api.nvim_buf_set_lines(0, 0, -1, false, { "# grpo-lint: version=4.6.0 world-size=8", "rlhf_type: grpo", "num_generations: 8", "per_device_train_batch_size: 8", "num_iteratons: 2" })
wait("misspelt", function() return #vim.diagnostic.get(0) > 0 end)
params.context = { only = { "source.fixAll" }, diagnostics = {} }
action = client.request_sync("textDocument/codeAction", params, 5000, 0).result[1]
if not action.edit then action = client.request_sync("codeAction/resolve", action, 5000, 0).result end
vim.lsp.util.apply_workspace_edit(action.edit, client.offset_encoding)
say("fixed", vim.api.nvim_buf_get_lines(0, 0, -1, false))
vim.lsp.stop_client(id)
wait("end", function() return vim.lsp.client_is_stopped(id) end)
say("stopped", vim.lsp.client_is_stopped(id))
vim.cmd("qa!")
