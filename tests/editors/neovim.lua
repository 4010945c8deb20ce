-- A walk through Neovim, whatever its version, with the server that the user's init.lua has started.
local clients_of = vim.lsp.get_clients or vim.lsp.get_active_clients
local function wait(what, condition)
  if not vim.wait(20000, condition, 20) then print("TIMEOUT " .. what) end
end
local function say(label, value) io.stdout:write(label .. "\t" .. vim.fn.json_encode(value) .. "\n") end

wait("client", function() return clients_of()[1] ~= nil end)
local client = clients_of()[1]
local is_new = vim.fn.has("nvim-0.11") == 1 -- functions of a client became methods
local function ask(method, params)
  local answer = is_new and client:request_sync(method, params, 5000, 0) or client.request_sync(method, params, 5000, 0)
  return answer.result
end
local function edit_of(action)
  return (action.edit and action or ask("codeAction/resolve", action)).edit
end

wait("diagnostics", function() return #vim.diagnostic.get(0) > 0 end)
say("diagnostics", vim.tbl_map(function(d) return { d.lnum, d.col, d.source, d.code or (d.user_data and d.user_data.lsp and d.user_data.lsp.code) } end, vim.diagnostic.get(0)))
local abilities = (client.config.capabilities or {}).workspace or {}
say("pulls", client.server_capabilities.diagnosticProvider ~= nil)
say("refreshes", (abilities.diagnostics or {}).refreshSupport == true)
vim.api.nvim_win_set_cursor(0, { 3, 2 })
say("hover", ask("textDocument/hover", vim.lsp.util.make_position_params(0, client.offset_encoding)).contents.value)
if vim.lsp.inlay_hint then
  vim.lsp.inlay_hint.enable(true)
  wait("inlay hints", function() return #vim.lsp.inlay_hint.get({ bufnr = 0 }) > 0 end)
  say("hints", vim.tbl_map(function(hint) return hint.inlay_hint.label end, vim.lsp.inlay_hint.get({ bufnr = 0 })))
end
local params = vim.lsp.util.make_range_params(0, client.offset_encoding)
params.context = { diagnostics = {} }
local actions = ask("textDocument/codeAction", params)
say("actions", vim.tbl_map(function(a) return a.title end, actions))
vim.lsp.util.apply_workspace_edit(edit_of(actions[1]), client.offset_encoding)
say("buffer", vim.api.nvim_buf_get_lines(0, 0, -1, false))
wait("no diagnostics", function() return #vim.diagnostic.get(0) == 0 end)
say("after", #vim.diagnostic.get(0))
vim.api.nvim_buf_set_lines(0, 0, -1, false, { "# grpo-lint: version=4.6.0 world-size=8", "rlhf_type: grpo", "num_generations: 8", "per_device_train_batch_size: 8", "train_type: lora" })
wait("misspelt", function() return #vim.diagnostic.get(0) > 0 end)
params.context = { only = { "source.fixAll" }, diagnostics = {} }
vim.lsp.util.apply_workspace_edit(edit_of(ask("textDocument/codeAction", params)[1]), client.offset_encoding)
say("fixed", vim.api.nvim_buf_get_lines(0, 0, -1, false))
vim.cmd("qa!")
