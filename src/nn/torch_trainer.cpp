// Adam through libtorch. All weights lie in one flat tensor, so do their gradients and moments: a
// step of Adam is a few operations over everything. On a GPU the convolutions run in bf16 with fp32
// master weights, and the whole step of a full batch is one CUDA graph: its hundreds of small
// kernels cost less than their launches. On the CPU each thread learns a part of the batch by
// itself; libtorch's own threads wait for each other after every operation.
#include "nn/torch_trainer.hpp"

#include <malloc.h>
#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "nn/crew.hpp"
#include "nn/torch_cuda.inl"
#include "nn/torch_net.inl"

namespace polymax::torch_nn {

namespace {

constexpr std::int64_t kSizes = 1024;  // batches on a GPU are padded to a multiple
// Steps of a size before its graph is recorded: cuDNN chooses its kernels in them.
constexpr int kBeforeGraph = 3;
constexpr int kKeptBytes = 1 << 30, kMostOfOldLibraries = 32 << 20,
              kThreadHeap = 64 << 20;  // of malloc
constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8;

torch::Tensor tensor_of(const std::vector<float>& values, const torch::Device& device) {
  return torch::from_blob(const_cast<float*>(values.data()),
                          {static_cast<std::int64_t>(values.size())})
      .clone()
      .to(device);
}

std::vector<float> floats_of(const torch::Tensor& tensor) {
  const auto here = tensor.detach().to(torch::kCPU, torch::kFloat32).contiguous();
  return {here.data_ptr<float>(), here.data_ptr<float>() + here.numel()};
}

std::span<const std::uint64_t> words_of(const torch::Tensor& packed) {
  return {reinterpret_cast<const std::uint64_t*>(packed.data_ptr<std::int64_t>()),
          static_cast<std::size_t>(packed.numel())};
}

class TorchTrainer final : public Trainer {
 public:
  TorchTrainer(const Net& net, const OptimiserState& state, const std::vector<Symmetry>& symmetries,
               const TrainerSettings& settings)
      : net_(net),
        device_(settings.cuda ? torch::kCUDA : torch::kCPU),
        type_(settings.cuda ? torch::kBFloat16 : torch::kFloat32),
        in_channels_(settings.cuda ? round_up(net.shape.input.planes, 16) : net.shape.input.planes),
        move_planes_(settings.cuda ? round_up(net.shape.move_planes, 8) : net.shape.move_planes),
        prior_weight_(settings.prior),
        learned_(settings.values ? 0 : layout(values_only(net).shape).size()),
        crew_(settings.cuda ? 1 : settings.threads) {
    if (settings.cuda)
      stream_ = own_stream();
    else
      keep_memory();
    const auto guard = enter();
    const auto count = static_cast<std::int64_t>(parameter_count(net.shape));
    flat_ = torch::zeros({count}, device_);
    gradient_ = torch::zeros({count}, device_);
    steps_ = state.steps;
    first_ = state.first.empty() ? torch::zeros({count}, device_) : tensor_of(state.first, device_);
    second_ =
        state.second.empty() ? torch::zeros({count}, device_) : tensor_of(state.second, device_);
    if (first_.numel() != count || second_.numel() != count)
      throw Error("the optimiser's state is of another network", Error::Kind::failed);
    loss_ = torch::zeros({3}, device_);
    factors_ = torch::zeros({2}, device_);
    std::int64_t at = 0;
    for (const auto& tensor : net.tensors) {
      const auto size = static_cast<std::int64_t>(tensor.values.size());
      auto weight = flat_.slice(0, at, at + size).view(tensor.dims);
      weight.copy_(tensor_of(tensor.values, device_).view(tensor.dims));
      if (weights_.size() == learned_) learned_from_ = at;
      if (weights_.size() >= learned_) {
        weight.set_requires_grad(true);
        weight.mutable_grad() = gradient_.slice(0, at, at + size).view(tensor.dims);
      }
      weights_.push_back(weight);
      at += size;
    }
    make_tables(symmetries);
    net_.tensors.clear();
  }

  void step(const TrainingBatch& batch, double learning_rate) override {
    const auto guard = enter();
    ++steps_;
    ++losses_;
    const double t = static_cast<double>(steps_);
    const std::vector<float> factors{static_cast<float>(learning_rate / (1 - std::pow(kBeta1, t))),
                                     static_cast<float>(std::sqrt(1 - std::pow(kBeta2, t)))};
    fill(factors_, torch::from_blob(const_cast<float*>(factors.data()), {2}));
    const auto count = static_cast<std::int64_t>(batch.symmetry.size());
    if (count < largest_.count) {
      Loaded once = room_for(batch);
      load(batch, once);
      return compute(once);
    }
    if (count > largest_.count) {
      graph_.reset();
      largest_ = room_for(batch);
    }
    load(batch, largest_);
    if (stream_ && !graph_ && ++largest_.steps > kBeforeGraph)
      graph_ = record_on_cuda([&] { compute(largest_); });
    graph_ ? graph_->replay() : compute(largest_);
  }

  TrainingLoss take_loss() override {
    const auto guard = enter();
    const auto sums = floats_of(loss_);
    const auto mean = [](double sum, double count) { return count > 0 ? sum / count : 0; };
    loss_.zero_();
    return {mean(sums[0], std::exchange(losses_, 0)), mean(sums[1], sums[2])};
  }

  Net net() const override {
    const auto guard = enter();
    Net out = net_;
    out.tensors = layout(net_.shape);
    for (std::size_t i = 0; i < weights_.size(); ++i)
      out.tensors[i].values = floats_of(weights_[i]);
    return out;
  }

  OptimiserState optimiser() const override {
    const auto guard = enter();
    return {steps_, floats_of(first_), floats_of(second_)};
  }

 private:
  // Every step asks for the same large blocks. By default they go back to the system at once, and
  // filling them with zeros anew is more than a quarter of the work. Holds for the whole process:
  // what it frees stays with it.
  static void keep_memory() {
#ifdef __GLIBC__
    if (mallopt(M_MMAP_THRESHOLD, kKeptBytes) == 0) mallopt(M_MMAP_THRESHOLD, kMostOfOldLibraries);
    mallopt(M_TRIM_THRESHOLD, kKeptBytes);
    mallopt(M_TOP_PAD, kThreadHeap);  // a thread's heap is taken, and kept, as a whole
#endif
  }

  c10::OptionalStreamGuard enter() const {
    if (!stream_) {
      at::set_num_threads(1);
      return c10::OptionalStreamGuard();
    }
    return c10::OptionalStreamGuard(*stream_);
  }

  // Host numbers into a tensor of the device; the copy may still be under way when this returns.
  void fill(torch::Tensor& to, const torch::Tensor& from) const {
    if (stream_)
      to.copy_(from.pin_memory(), true);
    else
      to.copy_(from);
  }

  // A batch on the device.
  struct Loaded {
    torch::Tensor words, targets, which;
    torch::Tensor places, shares, weights;  // of children; without second head of none
    std::int64_t count = 0;
    int steps = 0;  // made with it

    Loaded part(std::int64_t from, std::int64_t to) const {
      const std::int64_t each = words.numel() / count;
      return {words.slice(0, from * each, to * each),
              targets.slice(0, from, to),
              which.slice(0, from, to),
              places.slice(0, from, to),
              shares.slice(0, from, to),
              weights.slice(0, from, to),
              to - from};
    }
  };

  Loaded room_for(const TrainingBatch& batch) const {
    const auto count = static_cast<std::int64_t>(batch.symmetry.size());
    const auto words = static_cast<std::int64_t>(batch.planes.size());
    const auto options = torch::TensorOptions().device(device_);
    const auto children = knows_moves() ? static_cast<std::int64_t>(TrainingPriors::kChildren) : 0;
    return {torch::zeros({words}, options.dtype(torch::kInt64)),
            torch::zeros({count, net_.shape.players}, options),
            torch::zeros({count}, options.dtype(torch::kUInt8)),
            torch::zeros({count, children}, options.dtype(torch::kInt32)),
            torch::zeros({count, children}, options),
            torch::zeros({count, children}, options),
            count};
  }

  bool knows_moves() const {
    return net_.shape.move_planes > 0;
  }

  void load(const TrainingBatch& batch, Loaded& to) const {
    fill(to.words, torch::from_blob(const_cast<std::uint64_t*>(batch.planes.data()),
                                    to.words.sizes(), torch::kInt64));
    fill(to.targets, torch::from_blob(const_cast<float*>(batch.points.data()), to.targets.sizes()));
    fill(to.which, torch::from_blob(const_cast<std::uint8_t*>(batch.symmetry.data()), {to.count},
                                    torch::kUInt8));
    if (knows_moves()) load_priors(batch, to);
  }

  // Places are turned here. A batch that says nothing of moves has none.
  void load_priors(const TrainingBatch& batch, Loaded& to) const {
    const TrainingPriors& priors = batch.priors;
    if (priors.places.empty()) {
      to.shares.zero_();
      to.weights.zero_();
      return;
    }
    const std::size_t places = turned_place_.size() / symmetries_;
    std::vector<std::int32_t> turned(priors.places.size());
    for (std::size_t i = 0; i < turned.size(); ++i)
      turned[i] =
          turned_place_[batch.symmetry[i / TrainingPriors::kChildren] * places + priors.places[i]];
    fill(to.places, torch::from_blob(turned.data(), to.places.sizes(), torch::kInt32));
    fill(to.shares, torch::from_blob(const_cast<float*>(priors.shares.data()), to.shares.sizes()));
    fill(to.weights,
         torch::from_blob(const_cast<float*>(priors.weights.data()), to.weights.sizes()));
  }

  // One step on what was loaded: nothing here waits for the device, so that it can be recorded.
  void compute(const Loaded& batch) {
    gradient_.zero_();
    if (stream_)
      differentiate(batch);
    else
      differentiate_in_parts(batch);
    const torch::NoGradGuard no_grad;
    const auto of = [&](torch::Tensor& all) { return all.slice(0, learned_from_, all.numel()); };
    auto gradient = of(gradient_), first = of(first_), second = of(second_);
    first.mul_(kBeta1).add_(gradient, 1 - kBeta1);
    second.mul_(kBeta2).addcmul_(gradient, gradient, 1 - kBeta2);
    const auto below = second.sqrt().div_(factors_[1]).add_(kEpsilon);
    of(flat_).sub_(first.div(below).mul_(factors_[0]));
  }

  void differentiate(const Loaded& batch) {
    const Losses losses = losses_of(batch, moving(batch));
    losses.total.backward();
    const torch::NoGradGuard no_grad;
    loss_.add_(losses.sums);
  }

  // total: what is made smaller. sums: what loss_ adds up.
  struct Losses {
    torch::Tensor total, sums;
  };

  // How many samples have moves; nothing without second head.
  torch::Tensor moving(const Loaded& batch) const {
    return knows_moves() ? batch.shares.sum() : torch::Tensor();
  }

  // Of a batch, or its part of the losses of the whole one.
  Losses losses_of(const Loaded& batch, const torch::Tensor& moving, double share = 1) const {
    const auto [planes, targets] = inputs(batch);
    const auto [values, logits] = said(planes);
    const auto value = (values.slice(0, 0, batch.count) - targets).square().mean() * share;
    const auto none = torch::zeros({}, device_);
    if (!knows_moves()) return {value, torch::stack({value.detach(), none, none})};
    const auto prior = prior_loss(logits.slice(0, 0, batch.count), batch) / moving.clamp_min(1);
    const auto has = (moving > 0.5).to(torch::kFloat32) * share;
    return {value + prior * prior_weight_, torch::stack({value.detach(), prior.detach(), has})};
  }

  // Cross-entropy of the wanted shares and the prior, less what the best prior would have, summed
  // over the samples. A child that stands for w moves counts as w with its logit.
  torch::Tensor prior_loss(const torch::Tensor& logits, const Loaded& batch) const {
    constexpr double kTiny = 1e-30;
    const auto at = logits.gather(1, batch.places.to(torch::kInt64)).to(torch::kFloat32);
    const auto weights = batch.weights.clamp_min(kTiny);
    const auto norm = (at + weights.log()).logsumexp(1) * batch.shares.sum(1);
    const auto least = (batch.shares * (batch.shares.clamp_min(kTiny) / weights).log()).sum();
    return norm.sum() - (batch.shares * at).sum() + least;
  }

  void differentiate_in_parts(const Loaded& batch) {
    std::vector<std::vector<torch::Tensor>> gradients(static_cast<std::size_t>(crew_.parts()));
    std::vector<torch::Tensor> losses(gradients.size());
    const auto all_moving = moving(batch);
    crew_.run([&](int part) {
      at::set_num_threads(1);
      const std::int64_t from = batch.count * part / crew_.parts(),
                         to = batch.count * (part + 1) / crew_.parts();
      if (from == to) return;
      const auto i = static_cast<std::size_t>(part);
      const auto [total, sums] =
          losses_of(batch.part(from, to), all_moving,
                    static_cast<double>(to - from) / static_cast<double>(batch.count));
      gradients[i] = torch::autograd::grad({total}, learned());
      losses[i] = sums;
    });
    const torch::NoGradGuard no_grad;
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      if (gradients[i].empty()) continue;
      loss_.add_(losses[i]);
      for (std::size_t w = learned_; w < weights_.size(); ++w)
        weights_[w].mutable_grad().add_(gradients[i][w - learned_]);
    }
  }

  std::vector<torch::Tensor> learned() const {
    return {weights_.begin() + static_cast<std::ptrdiff_t>(learned_), weights_.end()};
  }

  // For every symmetry, where each input of the turned position comes from: planes (as the device
  // lays them out) and seats.
  void make_tables(const std::vector<Symmetry>& symmetries) {
    const PlaneShape& in = net_.shape.input;
    const bool channels_last = stream_.has_value();
    const std::int64_t cells = in.cells(), inputs = in_channels_ * cells;
    const auto place = [&](std::int64_t plane, std::int64_t cell) {
      return channels_last ? cell * in_channels_ + plane : plane * cells + cell;
    };
    const auto count = static_cast<std::int64_t>(symmetries.size());
    from_ = torch::arange(inputs, torch::kInt64).repeat({count, 1});
    from_seat_ = torch::zeros({count, net_.shape.players}, torch::kInt64);
    auto from = from_.accessor<std::int64_t, 2>(), seats = from_seat_.accessor<std::int64_t, 2>();
    for (std::int64_t s = 0; s < count; ++s) {
      const Symmetry& turn = symmetries[static_cast<std::size_t>(s)];
      for (std::size_t k = 0; k < turn.planes.size(); ++k)
        for (std::size_t i = 0; i < turn.cells.size(); ++i)
          from[s][place(turn.planes[k], turn.cells[i])] =
              place(static_cast<std::int64_t>(k), static_cast<std::int64_t>(i));
      for (int p = 0; p < net_.shape.players; ++p)
        seats[s][turn.seats[static_cast<std::size_t>(p)]] = p;
    }
    from_ = from_.to(device_);
    from_seat_ = from_seat_.to(device_);
    turned_ = count > 1;
    make_places(symmetries);
  }

  // For every symmetry and place of a move, where its logit lies after turning, as the device lays
  // logits out. Places that no move has may lead anywhere.
  void make_places(const std::vector<Symmetry>& symmetries) {
    const int cells = net_.shape.input.cells(), planes = net_.shape.move_planes;
    symmetries_ = symmetries.size();
    for (const Symmetry& turn : symmetries)
      for (int k = 0; k < planes; ++k)
        for (int i = 0; i < cells; ++i) {
          const int named = turn.moves.empty() ? i : i + turn.moves[static_cast<std::size_t>(k)].by;
          const bool real = named >= 0 && named < cells;
          const MovePlace to =
              real ? turn.turned({static_cast<std::uint16_t>(k), static_cast<std::uint16_t>(i)})
                   : MovePlace{};
          turned_place_.push_back(static_cast<std::int32_t>(
              stream_ ? to.cell * move_planes_ + to.plane : to.plane * cells + to.cell));
        }
  }

  // The loaded batch, turned: planes as convolutions want them, targets in units of the scale.
  std::pair<torch::Tensor, torch::Tensor> inputs(const Loaded& batch) const {
    const PlaneShape& in = net_.shape.input;
    auto x = stream_ ? unpack_on_cuda(batch.words, in, in_channels_)
                     : unpack_on_cpu(words_of(batch.words), in);
    const std::int64_t count = batch.count;
    auto y = batch.targets / net_.scale;
    if (turned_) {
      const auto which = batch.which.to(torch::kInt64);
      x = x.view({count, -1}).gather(1, from_.index_select(0, which));
      y = y.gather(1, from_seat_.index_select(0, which));
    }
    if (stream_) {
      // cuDNN looks for its fastest kernels once for every size it meets: let it meet few
      const std::int64_t padded = round_up(count, kSizes);
      if (padded > count)
        x = torch::constant_pad_nd(x.view({count, -1}), {0, 0, 0, padded - count});
      return {x.view({padded, in.height, in.width, in_channels_}).permute({0, 3, 1, 2}), y};
    }
    return {x.view({count, in.planes, in.height, in.width}), y};
  }

  struct Said {
    torch::Tensor values, logits;  // logits: of all places, as turned_place_ counts them
  };

  Said said(const torch::Tensor& planes) const {
    const auto conv = [&](const torch::Tensor& x, const Layer& layer, std::int64_t padding,
                          const torch::Tensor* skip) {
      auto weight = layer.weight;
      if (weight.size(1) < x.size(1))
        weight = torch::constant_pad_nd(weight, {0, 0, 0, 0, 0, x.size(1) - weight.size(1)});
      if (!stream_) return plain_conv(x, weight, layer.bias, padding, skip);
      return plain_conv(x, weight.to(type_).contiguous(torch::MemoryFormat::ChannelsLast),
                        layer.bias.to(type_), padding, skip);
    };
    const Layers layers(weights_, net_.shape);
    const auto seen = trunk(layers, planes, conv);
    Said out{values_of(layers, seen, conv), {}};
    if (!knows_moves()) return out;
    if (!stream_) {
      out.logits = logits_of(layers, seen, conv).flatten(1);
      return out;
    }
    Layers padded = layers;
    const std::int64_t more = move_planes_ - net_.shape.move_planes;
    padded.prior2.weight = torch::constant_pad_nd(layers.prior2.weight, {0, 0, 0, 0, 0, 0, 0, more})
                               .to(type_)
                               .contiguous(torch::MemoryFormat::ChannelsLast);
    padded.prior2.bias = torch::constant_pad_nd(layers.prior2.bias, {0, more}).to(type_);
    out.logits = logits_of(padded, seen, conv).permute({0, 2, 3, 1}).flatten(1);
    return out;
  }

  Net net_;  // without its tensors
  torch::Device device_;
  torch::ScalarType type_;
  std::int64_t in_channels_, move_planes_;  // padded
  double prior_weight_;
  std::size_t learned_;  // the first tensor that learns; those of the second head are last
  std::int64_t learned_from_ = 0;       // where it begins in flat_
  Crew crew_;                           // of the CPU
  std::optional<c10::Stream> stream_;   // of a GPU
  std::vector<torch::Tensor> weights_;  // views of flat_, in the order of layout()
  torch::Tensor flat_, gradient_, first_, second_, loss_, from_, from_seat_;
  torch::Tensor factors_;  // of this step: the rate and the root of the second moment's bias
  std::vector<std::int32_t> turned_place_;  // [symmetry][place]
  std::size_t symmetries_ = 0;
  Loaded largest_;                       // batches of the largest size so far
  std::unique_ptr<RecordedWork> graph_;  // compute() of these
  std::uint64_t steps_ = 0;
  int losses_ = 0;
  bool turned_ = false;
};

}  // namespace

std::unique_ptr<Trainer> make_torch_trainer(const Net& net, const OptimiserState& state,
                                            std::vector<Symmetry> symmetries,
                                            const TrainerSettings& settings) {
  check_shape(net.shape);
  if (settings.cuda && !cuda_usable())
    throw Error("there is no CUDA GPU here, or this build cannot use one", Error::Kind::failed);
  return std::make_unique<TorchTrainer>(net, state, symmetries, settings);
}

}  // namespace polymax::torch_nn
