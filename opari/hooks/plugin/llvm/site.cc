/*
 * Site: see site.h.
 *
 * The state of a site is in seven words of the function's frame, struct ompp_access_site of the runtime, which the
 * library writes.  The bounds are copied to variables after each call; three more variables have the counts: how often
 * the site was executed, and the lowest and highest address of its first member.  All five become registers (late.h).
 */
#include "site.h"

#include "nest.h"

#include <llvm/IR/MDBuilder.h>

using namespace llvm;

enum { MOST_SITES = 64, MOST_ENDS = 256, MOST_MEMBERS = 32 };
enum { MOST_DISTANCE = 64 }; /* an access farther away may well be to another object */
enum { WORD_LO, WORD_LIMIT, WORD_ROW, WORD_MEMBERS, WORD_MISSES, WORD_ROOM, WORD_LOG, N_WORDS };
enum { SLOW_WEIGHT = 1, FAST_WEIGHT = 2000 };

struct site {
	AllocaInst *words, *start, *limit, *n, *lo, *hi;
};

/* An access that becomes a member of a site: a hook, or the run of an inner loop. */
struct member {
	CallInst *call;
	unsigned int how;
	Value *step, *n;
	int64_t distance; /* in bytes from the first member of its site */
	bool is_taken;    /* it has a site */
};

using members = SmallVector<struct member *, 8>;

/* ---- members ---- */

/* Returns 1 when an instruction may become a member. */
static bool find_member(const struct plugin_known &known, Instruction &instruction, struct member *m)
{
	IntegerType *size = known.ours.size_type();
	int how = hook_how(instruction);

	if (how >= 0) {
		*m = { cast<CallInst>(&instruction),
		       (unsigned int)how,
		       ConstantInt::get(size, 0),
		       ConstantInt::get(size, 1),
		       0,
		       false };
		return true;
	}
	if (called_name(instruction) != "ompp_access_run")
		return false;

	auto *call = cast<CallInst>(&instruction);

	*m = { call,
	       (unsigned int)cast<ConstantInt>(call->getArgOperand(3))->getZExtValue(),
	       call->getArgOperand(1),
	       call->getArgOperand(2),
	       0,
	       false };
	return true;
}

static bool are_equal(const struct plugin_known &known, Value *a, Value *b)
{
	return a == b || known.evolution.getSCEV(a) == known.evolution.getSCEV(b);
}

/* Finds the constant distance between two addresses.  Returns false when it is not constant, or too large. */
static bool distance_between(const struct plugin_known &known, const struct member &from, struct member *to)
{
	const SCEV *a = known.evolution.getSCEV(from.call->getArgOperand(0));
	const SCEV *b = known.evolution.getSCEV(to->call->getArgOperand(0));
	auto *distance = dyn_cast<SCEVConstant>(known.evolution.getMinusSCEV(b, a));

	if (!distance || !distance->getAPInt().isSignedIntN(32))
		return false;
	to->distance = distance->getAPInt().getSExtValue();
	return std::abs(to->distance) <= MOST_DISTANCE;
}

/* Collects the members of the site of which all[i] is the first one: those which are executed together with it. */
static void collect(const struct plugin_known &known, MutableArrayRef<struct member> all, size_t i, members *site)
{
	all[i].is_taken = true;
	all[i].distance = 0;
	site->push_back(&all[i]);
	for (size_t j = i + 1; j < all.size() && site->size() < MOST_MEMBERS; j++)
		if (!all[j].is_taken && all[i].call->getParent() == all[j].call->getParent() &&
		    are_equal(known, all[i].step, all[j].step) && are_equal(known, all[i].n, all[j].n) &&
		    distance_between(known, all[i], &all[j])) {
			all[j].is_taken = true;
			site->push_back(&all[j]);
		}
}

/* Makes the table of the members, which the library reads: their number, the offset of their lowest byte from the first
 * member, the number of bytes from there to their last byte, then distance and `how` of each. */
static Constant *table_of(const struct plugin_known &known, const members &site)
{
	IntegerType *size = known.ours.size_type();
	SmallVector<Constant *, 3 + 2 * 8> words(3);
	Module *module = site[0]->call->getModule();
	int64_t lo = 0, hi = 0;

	for (const struct member *m : site) {
		lo = std::min(lo, m->distance);
		hi = std::max(hi, m->distance + (INT64_C(1) << (m->how & HOW_SIZE)));
		words.push_back(ConstantInt::getSigned(size, m->distance));
		words.push_back(ConstantInt::get(size, m->how));
	}
	words[0] = ConstantInt::get(size, site.size());
	words[1] = ConstantInt::getSigned(size, lo);
	words[2] = ConstantInt::get(size, hi - lo);

	Constant *table = ConstantArray::get(ArrayType::get(size, words.size()), words);
	auto *variable = new GlobalVariable(*module, table->getType(), true, GlobalValue::PrivateLinkage, table,
	                                    "ompp_members");

	variable->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
	return ConstantExpr::getPtrToInt(variable, size);
}

/* ---- code ---- */

static Value *load(IRBuilder<> &builder, AllocaInst *variable)
{
	return builder.CreateLoad(variable->getAllocatedType(), variable);
}

static Value *word_of(IRBuilder<> &builder, const struct site &site, unsigned int i)
{
	return builder.CreateConstInBoundsGEP2_32(site.words->getAllocatedType(), site.words, 0, i);
}

static Value *words_of(const struct plugin_known &known, IRBuilder<> &builder, const struct site &site)
{
	return builder.CreateBitCast(site.words, known.ours.pointer_type());
}

static void reset(const struct plugin_known &known, IRBuilder<> &builder, const struct site &site)
{
	IntegerType *size = known.ours.size_type();

	builder.CreateStore(ConstantInt::get(size, 0), site.n);
	builder.CreateStore(ConstantInt::getAllOnesValue(size), site.lo);
	builder.CreateStore(ConstantInt::get(size, 0), site.hi);
}

/* Hands over what was counted. */
static void end_site(const struct plugin_known &known, IRBuilder<> &builder, const struct site &site)
{
	loosen(builder.CreateCall(known.ours.site_end(), { words_of(known, builder, site), load(builder, site.n),
	                                                   load(builder, site.lo), load(builder, site.hi) }),
	       true);
}

static Value *load_word(IRBuilder<> &builder, const struct site &site, unsigned int i)
{
	return builder.CreateLoad(cast<ArrayType>(site.words->getAllocatedType())->getElementType(),
	                          word_of(builder, site, i));
}

/* Returns a value that at run time is 1 when a site has counts to hand over, bounds, or a log. */
static Value *is_counting(IRBuilder<> &builder, const struct site &site)
{
	Value *n_or_limit = builder.CreateOr(load(builder, site.n), load(builder, site.limit));

	return builder.CreateIsNotNull(builder.CreateOr(n_or_limit, load_word(builder, site, WORD_ROOM)));
}

/* Where the counts of a nest are handed over: on its exits, and before its pauses, except pauses with no count since
 * another pause. */
struct ends {
	SmallVector<BasicBlock *, 8> exits;
	SmallVector<CallBase *, 8> pauses, later_pauses;
	/* Variables, NULL without pauses: the remaining executions of its first site for which the nest calls hooks
	 * instead of the library; and 1 when a site may have something to hand over. */
	AllocaInst *by_hooks = nullptr, *counting = nullptr;
	SmallVector<Instruction *, 8> handing; /* for each of `pauses`: sites hand over ahead of it */

	size_t number() const
	{
		return exits.size() + pauses.size();
	}
};

/* Makes the site's variables.  They are set before the nest, and handed over after it and at its pauses, after which
 * the site has no bounds. */
static struct site begin_site(const struct plugin_known &known, BasicBlock *before, const struct ends &ends,
                              Constant *table)
{
	static const unsigned int zero[] = { WORD_LO, WORD_LIMIT, WORD_MISSES, WORD_ROOM };
	IntegerType *size = known.ours.size_type();
	IRBuilder<> builder(&*before->getParent()->getEntryBlock().getFirstInsertionPt());
	AllocaInst **variables[] = { nullptr, nullptr, nullptr, nullptr, nullptr };
	struct site site;

	variables[0] = &site.start, variables[1] = &site.limit, variables[2] = &site.n, variables[3] = &site.lo,
	variables[4] = &site.hi;
	site.words = builder.CreateAlloca(ArrayType::get(size, N_WORDS), nullptr, "ompp_site");
	for (AllocaInst **variable : variables)
		*variable = builder.CreateAlloca(size);
	builder.SetInsertPoint(before->getTerminator());
	for (unsigned int i : zero)
		builder.CreateStore(ConstantInt::get(size, 0), word_of(builder, site, i));
	builder.CreateStore(table, word_of(builder, site, WORD_MEMBERS));
	builder.CreateStore(ConstantInt::get(size, 0), site.start);
	builder.CreateStore(ConstantInt::get(size, 0), site.limit);
	reset(known, builder, site);
	for (BasicBlock *exit : ends.exits) {
		builder.SetInsertPoint(&*exit->getFirstInsertionPt());
		end_site(known, builder, site);
	}
	for (Instruction *place : ends.handing) {
		builder.SetInsertPoint(place);
		builder.SetInsertPoint(SplitBlockAndInsertIfThen(is_counting(builder, site), place, false));
		end_site(known, builder, site);
		builder.CreateStore(ConstantInt::get(size, 0), word_of(builder, site, WORD_LIMIT));
		builder.CreateStore(ConstantInt::get(size, 0), site.limit);
		reset(known, builder, site);
	}
	return site;
}

static Value *lower(IRBuilder<> &builder, Value *a, Value *b)
{
	return builder.CreateSelect(builder.CreateICmpULT(a, b), a, b);
}

static Value *higher(IRBuilder<> &builder, Value *a, Value *b)
{
	return builder.CreateSelect(builder.CreateICmpUGT(a, b), a, b);
}

/* Marks an instruction as accessing no log, or only a log (alias metadata), so that logs do not conflict with accesses
 * of the program. */
static void tell_logs(const struct plugin_known &known, Instruction *instruction, bool is_log)
{
	LLVMContext &context = instruction->getContext();
	MDBuilder builder(context);
	unsigned int kind = is_log ? LLVMContext::MD_alias_scope : LLVMContext::MD_noalias;

	if (!known.ours.log_scope)
		known.ours.log_scope =
			MDNode::get(context,
		                    builder.createAnonymousAliasScope(builder.createAnonymousAliasScopeDomain("ompp"),
		                                                      "ompp log"));
	instruction->setMetadata(kind, MDNode::concatenate(instruction->getMetadata(kind), known.ours.log_scope));
}

/* Adds an address to the site's log; only if the log is full, a call is to be made, at the instruction that is
 * returned. */
static Instruction *log_or_call(const struct plugin_known &known, const struct site &site, Value *address,
                                Instruction *at)
{
	IRBuilder<> builder(at);
	IntegerType *size = known.ours.size_type();
	Value *n = load(builder, site.n), *place;
	Instruction *logged, *call;

	SplitBlockAndInsertIfThenElse(builder.CreateICmpULT(n, load_word(builder, site, WORD_ROOM)), at, &logged,
	                              &call);
	builder.SetInsertPoint(logged);
	place = builder.CreateIntToPtr(load_word(builder, site, WORD_LOG), pointer_to(size));
	tell_logs(known, builder.CreateStore(address, builder.CreateGEP(size, place, n)), true);
	builder.CreateStore(builder.CreateAdd(n, ConstantInt::get(size, 1)), site.n);
	return call;
}

/* Calls the members' own hooks when it is their turn; otherwise a call is to be made at the instruction that is
 * returned.
 * counts_down: 1 for the site that counts the rounds of hooks */
static Instruction *hook_or_call(IRBuilder<> &builder, const struct ends &ends, bool counts_down, const members &site,
                                 Instruction *at)
{
	Instruction *hooks, *call;
	Value *rounds;

	builder.SetInsertPoint(at);
	rounds = load(builder, ends.by_hooks);
	SplitBlockAndInsertIfThenElse(builder.CreateIsNotNull(rounds), at, &hooks, &call);
	builder.SetInsertPoint(hooks);
	if (counts_down)
		builder.CreateStore(builder.CreateSub(rounds, builder.getInt32(1)), ends.by_hooks);
	for (const struct member *m : site) {
		Instruction *hook = m->call->clone();

		insert_before(hook, hooks);
		builder.SetInsertPoint(hook); /* the member's own address may be computed later */
		hook->setOperand(0, builder.CreateGEP(builder.getInt8Ty(), site[0]->call->getArgOperand(0),
		                                      builder.getInt64(m->distance)));
		loosen(cast<CallInst>(hook), false);
	}
	return call;
}

/* Adds the code after a call of the library for a site: the site may now have counts to hand over; and if the calls
 * cost more than the bounds save, it is the hooks' turn. */
static void take_turns(const struct plugin_known &known, IRBuilder<> &builder, const struct ends &ends)
{
	IntegerType *size = known.ours.size_type();
	Value *gain = builder.CreateLoad(size, known.ours.gain_of_nest(builder), true),
	      *zero = ConstantInt::get(size, 0);
	Value *is_loss = builder.CreateICmpSLT(gain, ConstantInt::getSigned(size, -MOST_LOSS));

	builder.CreateStore(builder.getTrue(), ends.counting);
	builder.CreateStore(builder.CreateSelect(is_loss, builder.getInt32(NEST_ROUNDS), builder.getInt32(0)),
	                    ends.by_hooks);
	builder.CreateStore(builder.CreateSelect(is_loss, zero, gain), known.ours.gain_of_nest(builder), true);
}

/* Counts one execution of a site, at a member, for all its members.  An address that LLVM may treat as undefined, as it
 * has not been accessed yet, is frozen before it is compared. */
static void count_at(const struct plugin_known &known, const struct site &site, const struct ends &ends,
                     bool counts_down, const members &all)
{
	const struct member &m = *all[0];
	Value *base = m.call->getArgOperand(0), *n = m.n, *lo, *hi, *inside;
	IntegerType *size = known.ours.size_type();
	Instruction *slow, *fast, *at = m.call;
	IRBuilder<> builder(at);

	/* the run is counted only if its count is not 0 */
	if (!isa<ConstantInt>(n)) {
		n = builder.CreateFreeze(n);
		at = SplitBlockAndInsertIfThen(builder.CreateICmpNE(n, ConstantInt::get(size, 0)), at, false);
		builder.SetInsertPoint(at);
	}
	builder.SetCurrentDebugLocation(m.call->getDebugLoc());
	lo = hi = builder.CreatePtrToInt(base, size);
	if (n != ConstantInt::get(size, 1)) {
		Value *far = builder.CreateMul(builder.CreateSub(n, ConstantInt::get(size, 1)), m.step);
		Value *last = builder.CreateFreeze(builder.CreateAdd(lo, far));

		lo = builder.CreateFreeze(lo);
		hi = higher(builder, lo, last);
		lo = lower(builder, lo, last);
	}
	/* lo <= hi: all is inside when neither is below the start, nor at or above the limit */
	inside = builder.CreateSub(lo, load(builder, site.start));
	if (hi != lo)
		inside = higher(builder, inside, builder.CreateSub(hi, load(builder, site.start)));
	SplitBlockAndInsertIfThenElse(builder.CreateICmpUGE(inside, load(builder, site.limit)), at, &slow, &fast,
	                              MDBuilder(at->getContext()).createBranchWeights(SLOW_WEIGHT, FAST_WEIGHT));
	if (ends.by_hooks && hook_how(*m.call) >= 0)
		slow = hook_or_call(builder, ends, counts_down, all, slow);
	if (n == ConstantInt::get(size, 1))
		slow = log_or_call(known, site, lo, slow);
	builder.SetInsertPoint(slow);
	loosen(builder.CreateCall(known.ours.site(),
	                          { words_of(known, builder, site), load(builder, site.n), load(builder, site.lo),
	                            load(builder, site.hi), base, m.step, n }),
	       true);
	reset(known, builder, site);
	builder.CreateStore(load_word(builder, site, WORD_LO), site.start);
	builder.CreateStore(load_word(builder, site, WORD_LIMIT), site.limit);
	if (ends.by_hooks)
		take_turns(known, builder, ends);
	builder.SetInsertPoint(fast);
	builder.CreateStore(builder.CreateAdd(load(builder, site.n), n), site.n);
	builder.CreateStore(lower(builder, load(builder, site.lo), lo), site.lo);
	builder.CreateStore(higher(builder, load(builder, site.hi), hi), site.hi);
}

/* Returns where execution continues after a pause that returns. */
static Instruction *behind(CallBase *pause)
{
	auto *invoke = dyn_cast<InvokeInst>(pause);
	BasicBlock *next = invoke ? invoke->getNormalDest() : nullptr;

	if (!invoke)
		return pause->getNextNode();
	if (!next->getSinglePredecessor())
		next = SplitEdge(pause->getParent(), next);
	return &*next->getFirstInsertionPt();
}

/* Restarts the sum of a nest's savings after a pause. */
static void begin_anew(const struct plugin_known &known, CallBase *pause)
{
	IRBuilder<> builder(behind(pause));

	builder.CreateStore(ConstantInt::get(known.ours.size_type(), 0), known.ours.gain_of_nest(builder), true);
}

/* Makes the code at the pauses of a nest: it tells whether little was counted since the previous pause, and switches to
 * hooks after it if pauses come too soon. */
static void make_pauses(const struct plugin_known &known, struct ends *ends, unsigned int hash)
{
	for (CallBase *pause : ends->pauses) {
		IRBuilder<> builder(pause);
		Value *is_short;
		CallInst *end;

		builder.SetInsertPoint(SplitBlockAndInsertIfThen(load(builder, ends->counting), pause, false));
		end = builder.CreateCall(known.ours.nest_end(), ConstantInt::get(known.ours.size_type(), hash));
		loosen(end, false);
		ends->handing.push_back(end);
		builder.SetInsertPoint(pause);
		is_short = builder.CreateNot(choose_runs(builder, hash, known.ours));
		builder.CreateStore(builder.CreateSelect(is_short, builder.getInt32(NEST_ROUNDS), builder.getInt32(0)),
		                    ends->by_hooks);
		builder.CreateStore(builder.getFalse(), ends->counting);
		begin_anew(known, pause);
	}
	for (CallBase *pause : ends->later_pauses)
		begin_anew(known, pause);
}

/* After the nest, when all is counted, tells whether that was little. */
static void end_nest(const struct plugin_known &known, const struct ends &ends, unsigned int hash)
{
	for (BasicBlock *exit : ends.exits)
		loosen(IRBuilder<>(exit->getTerminator())
		               .CreateCall(known.ours.nest_end(), ConstantInt::get(known.ours.size_type(), hash)),
		       false);
}

/* Returns 1 when nothing is counted at sites between a pause and the one before. */
static bool is_behind_pause(const struct plugin_known &known, const CallBase *pause)
{
	const BasicBlock *block = pause->getParent(), *before = block->getSinglePredecessor();

	for (const Instruction &instruction : *block) {
		if (&instruction == pause)
			break;
		if (is_pause(instruction, known.library))
			return true;
	}
	return before && isa<InvokeInst>(before->getTerminator()) && is_pause(*before->getTerminator(), known.library);
}

static void add_pause(const struct plugin_known &known, CallBase *pause, struct ends *ends)
{
	(is_behind_pause(known, pause) ? ends->later_pauses : ends->pauses).push_back(pause);
}

/* Collects what is to be counted at sites, and where their counts are handed over.  In a nest with pauses, accesses as
 * rare as the pauses keep their hooks. */
static void find_in_nest(const struct plugin_known &known, Loop *nest, SmallVectorImpl<struct member> &all,
                         struct ends *ends)
{
	struct member m;

	exits_of(nest, ends->exits);
	for (BasicBlock *block : nest->blocks())
		for (Instruction &instruction : *block) {
			if (is_pause(instruction, known.library))
				add_pause(known, cast<CallBase>(&instruction), ends);
			else if (!is_rare(instruction) && find_member(known, instruction, &m))
				all.push_back(m);
			if (isa<LoadInst>(instruction) || isa<StoreInst>(instruction))
				tell_logs(known, &instruction, false);
		}
}

/* Makes a variable that is 0 before the nest. */
static AllocaInst *make_zero(BasicBlock *before, unsigned int n_bits)
{
	IRBuilder<> builder(&*before->getParent()->getEntryBlock().getFirstInsertionPt());
	AllocaInst *variable = builder.CreateAlloca(builder.getIntNTy(n_bits));

	builder.SetInsertPoint(before->getTerminator());
	builder.CreateStore(builder.getIntN(n_bits, 0), variable);
	return variable;
}

void make_sites(Loop *nest, unsigned int hash, BranchInst *over, const struct plugin_known &known,
                struct plugin_counts *counts)
{
	BasicBlock *before = nest->getLoopPreheader();
	SmallVector<struct member, 32> all;
	SmallVector<members, 16> sites;
	struct ends ends;

	find_in_nest(known, nest, all, &ends);
	for (size_t i = 0; i < all.size(); i++)
		if (!all[i].is_taken && sites.size() < MOST_SITES && (sites.size() + 1) * ends.number() <= MOST_ENDS) {
			sites.emplace_back();
			collect(known, all, i, &sites.back());
		}
	if (!sites.empty() && !ends.pauses.empty()) {
		ends.by_hooks = make_zero(before, 32);
		ends.counting = make_zero(before, 1);
		make_pauses(known, &ends, hash);
		if (over) {
			IRBuilder<> builder(over);

			over->setCondition(builder.CreateIsNotNull(load(builder, ends.by_hooks)));
		}
	}
	for (const members &of_site : sites) {
		count_at(known, begin_site(known, before, ends, table_of(known, of_site)), ends, &of_site == &sites[0],
		         of_site);
		for (const struct member *each : of_site)
			each->call->eraseFromParent();
		counts->sites++;
	}
	if (!sites.empty())
		end_nest(known, ends, hash);
	for (const struct member &left : all)
		if (!left.is_taken && hook_how(*left.call) >= 0) {
			loosen(left.call, false);
			counts->hooks++;
		}
}
